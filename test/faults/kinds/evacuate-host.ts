import assert from 'node:assert/strict';
import { evacuateHostSteps } from '../../../apps/worker/src/sagas/evacuate-host/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';

interface Server {
  id: string;
  status: string;
  'OS-EXT-SRV-ATTR:host': string;
  'OS-EXT-STS:task_state': string | null;
}

interface Hypervisor {
  id: string;
  name: string;
  status: string;
}

/**
 * The evacuation of a host with a stopped instance, whose move has to be confirmed. Afterwards the instance
 * has moved once and waits for nothing, or it is where it was.
 */
export const evacuateHost: Kind = {
  name: 'evacuate host',
  jobType: 'host.evacuate',
  steps: evacuateHostSteps.map(({ name }) => name),
  entries: {
    look: [{ service: 'compute', operation: 'hypervisors.get', nth: 2, isRead: true }],
    disable: [{ service: 'compute', operation: 'services.update' }],
    plan: [{ service: 'compute', operation: 'servers.list_detail', isRead: true }],
    'move-instances': [
      { label: 'migrate', service: 'compute', operation: 'servers.migrate' },
      { label: 'confirm', service: 'compute', operation: 'servers.confirmResize' },
    ],
    check: [{ service: 'compute', operation: 'servers.list_detail', nth: 2, isRead: true }],
    conclude: 'no call',
  },
  completed: {},
  runsSlowFaults: true,
  isCancellable: false,
  revertsAt: 'plan',
  user: 'admin',
  async prepare(rig) {
    const cloud = rig.service;
    // A request that moves the instance once more needs a third host.
    await rig.control.addHost('compute-2');
    const { server } = await cloud.call<{ server: { id: string } }>('compute', 'POST', '/servers', {
      server: { name: 'evacuated', flavorRef: rig.flavorId, imageRef: rig.imageId, networks: 'none' },
    });
    await untilStatus(rig, server.id, 'ACTIVE');
    await cloud.call('compute', 'POST', `/servers/${server.id}/action`, { 'os-stop': null });
    await untilStatus(rig, server.id, 'SHUTOFF');
    return server.id;
  },
  async start(rig, serverId, requestId) {
    const { 'OS-EXT-SRV-ATTR:host': host } = await serverOf(rig, serverId);
    const { id } = await hostNamed(rig, host);
    hosts.set(serverId, host);
    return rig.startJob(requestId, 'POST', `/api/admin/hypervisors/${id}/evacuation`, {});
  },
  async inspect(rig, serverId, isCompleted) {
    const problems: string[] = [];
    const from = hosts.get(serverId) ?? '';
    // A sweep confirms what a request has moved after the end.
    const {
      [HOST]: host,
      [TASK]: task,
      status,
    } = await eventually(async () => {
      const server = await serverOf(rig, serverId);
      return server.status === 'SHUTOFF' && server[TASK] === null ? server : undefined;
    }).catch(() => serverOf(rig, serverId));
    if (status !== 'SHUTOFF' || task !== null) problems.push(`the instance is ${status} (${task})`);
    if (isCompleted === (host === from)) problems.push(`the instance is on ${host}`);
    const migrations = await moves(rig, serverId, from);
    if (migrations.length > 1) problems.push(`the instance has moved ${migrations.length} times`);
    if (migrations.some((state) => state === 'finished')) problems.push('a move is not confirmed');
    const { id, status: service } = await hostNamed(rig, from);
    if (isCompleted && service === 'enabled') problems.push('the host is enabled');
    // Nothing has been asked to leave it.
    if (!isCompleted && migrations.length === 0 && service !== 'enabled')
      problems.push('the host is disabled');
    await rig.gateway().request('PUT', `/api/admin/hypervisors/${id}`, { status: 'enabled' });
    await rig.service.call('compute', 'DELETE', `/servers/${serverId}`);
    return problems;
  },
};

const HOST = 'OS-EXT-SRV-ATTR:host';
const TASK = 'OS-EXT-STS:task_state';

/** Where the instances have been, by their ids. */
const hosts = new Map<string, string>();

async function serverOf(rig: Rig, id: string): Promise<Server> {
  return (await rig.service.call<{ server: Server }>('compute', 'GET', `/servers/${id}`)).server;
}

/** Away from the host. A call that comes after the end finds the instance on its new host. */
async function moves(rig: Rig, id: string, from: string): Promise<string[]> {
  const { migrations } = await rig.service.call<{ migrations: { status: string }[] }>(
    'compute',
    'GET',
    `/os-migrations?instance_uuid=${id}&source_compute=${from}`,
  );
  return migrations.map(({ status }) => status);
}

async function hostNamed(rig: Rig, name: string): Promise<Hypervisor> {
  const all = await rig.gateway().read<Hypervisor[]>('/api/admin/hypervisors?refresh=true');
  return all.find((host) => host.name === name) ?? assert.fail(`There is no host ${name}.`);
}

async function untilStatus(rig: Rig, id: string, status: string): Promise<void> {
  await eventually(async () => (await serverOf(rig, id)).status === status);
}
