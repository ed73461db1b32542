import { conflict } from '@gateway/core';
import type { BoundClient, HypervisorRecord, ServerRecord } from '@gateway/openstack';
import { allProjectNames } from '../identity/projects.ts';
import type { ListSources } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import type { EvacuationPreview, Move } from './evacuation-preview-shape.ts';

const MOVES_WHILE_UP: Record<string, Move> = {
  active: 'live_migrate',
  paused: 'live_migrate',
  stopped: 'migrate',
};

const REMEDIES: Record<string, string> = {
  error: 'Repair it, or reset its state.',
  rescued: 'End its rescue.',
  resized: 'Confirm or revert its resize.',
  shelved: 'Wait until it is offloaded.',
  suspended: 'Resume it.',
};

/**
 * What moves a server away from its host, which the compute service decides by the state of the server and
 * by whether its process on the host is up.
 */
export function moveOf(
  server: Pick<ServerRecord, 'status' | 'OS-EXT-STS:vm_state'>,
  isUp: boolean,
): { move: Move; reason: null } | { move: null; reason: string } {
  const state = server['OS-EXT-STS:vm_state'];
  const move = isUp ? MOVES_WHILE_UP[state] : EVACUATED.includes(state) ? 'evacuate' : undefined;
  // What is being built is moved once it is there.
  if (move !== undefined) return { move, reason: null };
  if (state === 'building') return { move: isUp ? 'live_migrate' : 'evacuate', reason: null };
  const remedy = isUp ? (REMEDIES[state] ?? '') : '';
  const where = isUp ? '' : ' from a host that is down';
  return { move: null, reason: `It cannot be moved${where} in the state ${server.status}. ${remedy}`.trim() };
}

const EVACUATED = ['active', 'stopped', 'error'];

type HostRecord = Pick<HypervisorRecord, 'hypervisor_hostname' | 'service'>;

/** @throws 409 if the service does not say the name: without it, a list has the servers of all hosts */
export function requireServiceHost(host: string | null): string {
  if (host !== null && host !== '') return host;
  throw conflict(
    'not_supported',
    'The compute service does not say which of its processes runs on the host.',
  );
}

/** The servers on a host, of all projects. A process of the compute service can have several hosts. */
export async function readHostServers(
  { compute }: BoundClient,
  { hypervisor_hostname, service }: HostRecord,
): Promise<ServerRecord[]> {
  const servers = await compute.servers.list({ all_tenants: 1, host: requireServiceHost(service.host) });
  return servers.filter((server) => {
    const name = server['OS-EXT-SRV-ATTR:hypervisor_hostname'];
    return name === null || name === hypervisor_hostname;
  });
}

/** What an evacuation of the host would move now, with one list and the names of projects. */
export async function readEvacuation(
  sources: ListSources,
  record: HypervisorRecord,
): Promise<EvacuationPreview> {
  const servers = await readHostServers(sources.openstack, record);
  const rows = servers.map((server): EvacuationPreview['instances'][number] => ({
    id: server.id,
    name: server.name,
    status: server.status,
    project_id: server.tenant_id,
    project_name: null,
    ...moveOf(server, record.state === 'up'),
  }));
  return {
    hypervisor_id: record.id,
    hypervisor_name: record.hypervisor_hostname,
    state: record.state,
    status: record.status,
    instances: await addNames(sources, rows, { project_id: allProjectNames }),
  };
}
