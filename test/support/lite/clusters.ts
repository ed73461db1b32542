import { parseKubeconfig } from '@gateway/lite';
import { type GatewayClient, type InstanceMessage, messagesOf } from '../clients/gateway-client.ts';
import { openStream } from '../clients/sse-client.ts';
import type { ApiAccess } from '../kubernetes/objects.ts';

/** A cluster in the API. */
export interface LiteCluster {
  id: string;
  name: string;
  status: 'CREATING' | 'ACTIVE' | 'ERROR' | 'DELETED';
  status_reason: string | null;
  server_vm_id: string | null;
  agent_vm_ids: string[];
  agent_count: number;
  api_address: string | null;
  server_ip: string | null;
  k3s_version: string | null;
  health_status: string | null;
  plugin_status: Record<string, string> | null;
  plugin_messages: Record<string, string> | null;
  upgrade: {
    version: string;
    status: 'UPGRADING' | 'FAILED';
    progress: number | null;
    message: string | null;
    job_id: string | null;
  } | null;
}

export interface ClusterHealth {
  cluster_id: string;
  status: string;
  api_server_reachable: boolean;
  healthz_ok: boolean;
  nodes: {
    name: string;
    role: string;
    ready: boolean;
    conditions: string[];
    allocatable_gpus: number;
  }[];
  plugins: { name: string; status: string; message: string | null }[];
  checked_at: string | null;
  certificate_expires_at: string | null;
  reachability: string;
}

export type ClusterMessage = Omit<InstanceMessage, 'instance_id'> & { cluster_id: string };

/** Requests a cluster, and follows its creation to the end. */
export async function createCluster(gateway: GatewayClient, body: object): Promise<ClusterMessage[]> {
  const stream = await openStream(`${gateway.url}/api/lite/clusters/async`, {
    method: 'POST',
    headers: gateway.headers(),
    body,
  });
  return (await messagesOf(stream)) as unknown as ClusterMessage[];
}

export function readCluster(gateway: GatewayClient, id: string): Promise<LiteCluster> {
  return gateway.read<LiteCluster>(`/api/lite/clusters/${id}`);
}

/** The clusters of the project that are not deleted. */
export function readClusters(gateway: GatewayClient): Promise<LiteCluster[]> {
  return gateway.read<LiteCluster[]>('/api/lite/clusters');
}

/** Checks the health now. */
export async function checkHealth(gateway: GatewayClient, id: string): Promise<ClusterHealth> {
  const answer = await gateway.request<ClusterHealth>('POST', `/api/lite/clusters/${id}/health/check`);
  if (answer.status !== 200) throw new Error(`The check answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** The API server of a cluster, with the credentials in its configuration file. */
export async function apiAccessOf(gateway: GatewayClient, id: string): Promise<ApiAccess> {
  const { text } = await gateway.request('GET', `/api/lite/clusters/${id}/kubeconfig`);
  const { server, credentials } = parseKubeconfig(text);
  if (!('clientKey' in credentials)) throw new Error('The configuration file has no client certificate.');
  return { server, admin: credentials };
}

interface Changed extends LiteCluster {
  code?: string;
  detail?: string;
  job_id?: string;
}

/** Changes the number of agents, and waits until the change is complete or has failed. */
export function scaleCluster(gateway: GatewayClient, id: string, agentCount: number) {
  return gateway.request<Changed>('PATCH', `/api/lite/clusters/${id}/scale`, { agent_count: agentCount });
}

/** Replaces an agent, and waits until that is complete or has failed. */
export function repairCluster(gateway: GatewayClient, id: string, body: { node: string; force?: boolean }) {
  return gateway.request<Changed>('POST', `/api/lite/clusters/${id}/repair`, body);
}

/** Replaces the credential of the plugins by one of the user, and waits until that has ended. */
export function replaceCredential(gateway: GatewayClient, id: string, requestId?: string) {
  return gateway.request<Changed>('POST', `/api/lite/clusters/${id}/credential`, undefined, requestId);
}

/** The release of a cluster, and those that it can be upgraded to. */
export function readUpgrades(gateway: GatewayClient, id: string) {
  return gateway.read<{ current_version: string | null; versions: string[] }>(
    `/api/lite/clusters/${id}/upgrades`,
  );
}

/** Starts an upgrade. */
export function upgradeCluster(gateway: GatewayClient, id: string, version: string) {
  return gateway.request<Changed>('POST', `/api/lite/clusters/${id}/upgrade`, { version });
}

export function deleteCluster(gateway: GatewayClient, id: string) {
  return gateway.request<{ code?: string; detail?: string } | undefined>(
    'DELETE',
    `/api/lite/clusters/${id}`,
  );
}
