import { randomUUID } from 'node:crypto';
import { createLiteClusterSteps } from '../../../apps/worker/src/sagas/create-lite-cluster/index.ts';
import { openStream } from '../../support/clients/sse-client.ts';
import { readClusters } from '../../support/lite/clusters.ts';
import type { Act, Kind, StepEntry } from '../kind.ts';
import type { Rig, StartedJob } from '../rig.ts';

const AGENTS = 2;
/** The rules of a cluster without a key pair, in a network with one subnet. */
const RULES = 5;

const rule: Act = { service: 'network', operation: 'security_group_rules.create' };

function volume(nth: number): StepEntry {
  return [{ service: 'block-storage', operation: 'volumes.create', nth }];
}

function server(nth: number): StepEntry {
  return [{ service: 'compute', operation: 'servers.create', nth }];
}

/** The steps of agents that the cluster does not have. */
const notTaken = Object.fromEntries(
  createLiteClusterSteps
    .map(({ name }) => name)
    .filter((name) => Number(/^agent-(?:volume|server)-(\d+)$/.exec(name)?.[1] ?? 0) >= AGENTS)
    .map((name) => [name, 'not taken' as const]),
);

/** A cluster with two agents, a floating IP, and plugins that need a credential and a key. */
export const createLiteCluster: Kind = {
  name: 'create lite cluster',
  jobType: 'lite.create',
  steps: createLiteClusterSteps.map((step) => step.name),
  entries: {
    // The request has read the image.
    plan: [{ service: 'image', operation: 'images.list', nth: 2, isRead: true }],
    'security-group': [{ service: 'network', operation: 'security_groups.create' }],
    'security-rules': [
      { ...rule, label: 'first' },
      { ...rule, label: 'last', nth: RULES },
    ],
    port: [{ service: 'network', operation: 'ports.create' }],
    'floating-ip': [{ service: 'network', operation: 'floating_ips.create' }],
    'server-volume': volume(1),
    'encryption-key': [{ service: 'key-manager', operation: 'secrets.create' }],
    // The request has created a credential, with which the job creates this one.
    credential: [{ service: 'identity', operation: 'application_credentials.create', nth: 2 }],
    server: server(1),
    install: [{ isReport: true }],
    ...notTaken,
    'agent-volume-0': volume(2),
    'agent-volume-1': volume(3),
    'agent-volumes': 'no call',
    'agent-server-0': server(2),
    'agent-server-1': server(3),
    'agent-servers': 'no call',
    'await-nodes': 'no call',
    activate: 'no call',
  },
  creates: { 'security_group_rules.create': RULES, 'application_credentials.create': 2 },
  completed: {
    servers: 1 + AGENTS,
    volumes: 1 + AGENTS,
    attachments: 1 + AGENTS,
    ports: 1 + AGENTS,
    floating_ips: 1,
    security_groups: 1,
    secrets: 1,
    application_credentials: 1,
  },
  runsSlowFaults: true,
  isCancellable: true,
  losesRecord: true,
  commitsAt: 'activate',
  prepare: async () => `Fault_${randomUUID().slice(0, 8)}`,
  async start(rig, name, requestId): Promise<StartedJob> {
    const gateway = rig.gateway(0);
    const stream = await openStream(`${gateway.url}/api/lite/clusters/async`, {
      method: 'POST',
      headers: gateway.headers(requestId),
      body: { name, agent_count: AGENTS },
    });
    return { jobId: stream.headers.get('x-job-id') ?? '', stream };
  },
  inspect: inspectRecord,
};

/** A killed worker may have issued more than one token for renewed files. */
const SECRETS = ['secret:kubeconfig', 'secret:nodeToken', 'secret:credentialSecret', 'secret:renewal:'];

/** The record contains the resources, or the reason why there are none. */
async function inspectRecord(rig: Rig, name: string, isCompleted: boolean): Promise<string[]> {
  const found = (await readClusters(rig.gateway())).filter((one) => one.name === name);
  const [cluster] = found;
  // A creation that has made nothing leaves no record.
  if (cluster === undefined && !isCompleted) return [];
  if (cluster === undefined || found.length > 1) return [`there are ${found.length} records`];
  const { status, status_reason: reason } = cluster;
  const file = await rig.gateway().request('GET', `/api/lite/clusters/${cluster.id}/kubeconfig`);
  const secrets = await rig.stored.secretsOf(cluster.id);
  if (!isCompleted) {
    const isTold = status === 'ERROR' && reason !== null && cluster.server_vm_id === null;
    return [
      ...(isTold && cluster.agent_count === 0 ? [] : [`the record tells ${JSON.stringify(cluster)}`]),
      ...(secrets.length === 0 ? [] : [`the record holds ${secrets.join(', ')}`]),
      ...(file.status === 404 ? [] : [`the configuration file is answered ${file.status}`]),
    ];
  }
  const { agent_vm_ids: agents, server_vm_id: server, plugin_status: plugins } = cluster;
  const servers = (await rig.control.inventory()).get('servers');
  const exist = [server ?? '', ...agents].every((id) => servers?.has(id));
  const isTrue = status === 'ACTIVE' && reason === null && agents.length === AGENTS && plugins !== null;
  return [
    ...(isTrue && exist ? [] : [`the record tells ${JSON.stringify(cluster)}`]),
    ...(await ruleFlaws(rig, name)),
    ...SECRETS.filter((secret) => !secrets.some((name) => name.startsWith(secret))).map(
      (secret) => `the record does not hold ${secret}`,
    ),
    ...(file.status === 200 ? [] : [`the configuration file is answered ${file.status}`]),
  ];
}

/** The rules of a cluster's group, besides the two for egress that every group has. */
async function ruleFlaws(rig: Rig, name: string): Promise<string[]> {
  interface Group {
    name: string;
    security_group_rules: { direction: string }[];
  }
  const path = `/v2.0/security-groups?project_id=${rig.cloud.projectId}`;
  const answer = await rig.cloud.call<{ security_groups: Group[] }>('network', 'GET', path);
  const group = answer.security_groups.find((one) => one.name.startsWith(`k3s-${name}-`));
  const rules = group?.security_group_rules.filter(({ direction }) => direction === 'ingress').length;
  return rules === RULES ? [] : [`the security group has ${rules} rules`];
}
