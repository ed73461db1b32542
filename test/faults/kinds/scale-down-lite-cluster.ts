import { scaleLiteClusterSteps } from '../../../apps/worker/src/sagas/scale-lite-cluster/index.ts';
import { readCluster } from '../../support/lite/clusters.ts';
import type { Kind } from '../kind.ts';
import { activeCluster, agentFlaws, startScaling } from './active-lite-cluster.ts';

const BEFORE = 3;
const REMOVED = 2;

const notTaken = Object.fromEntries(
  scaleLiteClusterSteps
    .map(({ name }) => name)
    .filter((name) => /^agent-|^(drain|remove)-agent-|^reserve-numbers$|^await-nodes$/.test(name))
    .map((name) => [name, 'not taken' as const]),
);

function changeOf(removed: number) {
  return { servers: -removed, volumes: -removed, attachments: -removed, ports: -removed };
}

/** Removes two agents from a cluster, one after the other. */
export const scaleDownLiteCluster: Kind = {
  name: 'scale down lite cluster',
  jobType: 'lite.scale',
  steps: scaleLiteClusterSteps.map(({ name }) => name),
  entries: {
    ...notTaken,
    plan: 'no call',
    'drain-agent-1': 'no call',
    'remove-agent-1': [
      { label: 'look', service: 'compute', operation: 'servers.get', isRead: true },
      { label: 'server', service: 'compute', operation: 'servers.delete' },
    ],
    'drain-agent-0': 'no call',
    'remove-agent-0': [{ label: 'server', service: 'compute', operation: 'servers.delete', nth: 2 }],
    record: 'no call',
    'remove-nodes': 'no call',
  },
  completed: changeOf(REMOVED),
  // What the record no longer has is removed as a whole.
  whenFailed: async (rig, id) => changeOf(BEFORE - (await readCluster(rig.gateway(), id)).agent_count),
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'remove-agent-0',
  prepare: (rig) => activeCluster(rig, BEFORE),
  start: (rig, id, requestId) => startScaling(rig, id, { agentCount: BEFORE - REMOVED, requestId }),
  inspect: (rig, id, isCompleted) =>
    agentFlaws(rig, id, {
      agentCounts: isCompleted ? [BEFORE - REMOVED] : [BEFORE, BEFORE - 1],
      isCompleted,
    }),
};
