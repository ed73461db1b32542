import { repairLiteClusterSteps } from '../../../apps/worker/src/sagas/repair-lite-cluster/index.ts';
import { eventually } from '../../support/eventually.ts';
import { readCluster } from '../../support/lite/clusters.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';
import { activeCluster, agentFlaws } from './active-lite-cluster.ts';

const AGENTS = 2;

/** The replacement of an agent whose server is switched off. */
export const repairLiteCluster: Kind = {
  name: 'repair lite cluster',
  jobType: 'lite.repair',
  steps: repairLiteClusterSteps.map(({ name }) => name),
  entries: {
    plan: [{ service: 'compute', operation: 'servers.get', isRead: true }],
    'reserve-numbers': 'no call',
    'agent-volume-0': [{ service: 'block-storage', operation: 'volumes.create' }],
    'agent-volumes': 'no call',
    'agent-server-0': [{ service: 'compute', operation: 'servers.create' }],
    'agent-servers': 'no call',
    'await-nodes': 'no call',
    record: 'no call',
    // Only nodes that are alive are drained.
    'drain-node': 'no call',
    'remove-machine': [{ service: 'compute', operation: 'servers.delete' }],
    'remove-node': 'no call',
  },
  completed: { servers: [1, 1], volumes: [1, 1], attachments: [1, 1], ports: [1, 1] },
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'record',
  async prepare(rig) {
    const id = await activeCluster(rig, AGENTS);
    await switchOff(rig, (await readCluster(rig.gateway(), id)).agent_vm_ids[0] ?? '');
    await rig.control.clearCalls();
    return id;
  },
  async start(rig, id, requestId) {
    const { name } = await readCluster(rig.gateway(), id);
    const body = { node: `${name.toLowerCase().replaceAll('_', '-')}-agent-1` };
    return rig.startJob(requestId, 'POST', `/api/lite/clusters/${id}/repair`, body);
  },
  async inspect(rig, id, isCompleted) {
    const names = await agentNames(rig, id);
    const expected = isCompleted ? ['agent-2', 'agent-3'] : ['agent-1', 'agent-2'];
    return [
      ...(await agentFlaws(rig, id, { agentCounts: [AGENTS], isCompleted })),
      ...(names.join() === expected.join() ? [] : [`the agents are ${names.join()}`]),
    ];
  },
};

async function switchOff({ cloud }: Rig, vmId: string): Promise<void> {
  await cloud.call('compute', 'POST', `/servers/${vmId}/action`, { 'os-stop': null });
  await eventually(async () => {
    const { server } = await cloud.call<{ server: { status: string } }>('compute', 'GET', `/servers/${vmId}`);
    return server.status === 'SHUTOFF';
  });
}

/** The names of the agents' servers, without the cluster's name. */
async function agentNames(rig: Rig, id: string): Promise<string[]> {
  const { agent_vm_ids } = await readCluster(rig.gateway(), id);
  const names: string[] = [];
  for (const vmId of agent_vm_ids) {
    const { server } = await rig.cloud.call<{ server: { name: string } }>(
      'compute',
      'GET',
      `/servers/${vmId}`,
    );
    names.push(/agent-\d+$/.exec(server.name)?.[0] ?? server.name);
  }
  return names.sort();
}
