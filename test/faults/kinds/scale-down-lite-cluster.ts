import { scaleLiteClusterSteps } from '../../../apps/worker/src/sagas/scale-lite-cluster/index.ts';
import type { Kind } from '../kind.ts';
import { activeCluster, agentFlaws, startScaling } from './active-lite-cluster.ts';

const BEFORE = 2;

const notTaken = Object.fromEntries(
  scaleLiteClusterSteps
    .map(({ name }) => name)
    .filter((name) => /^agent-|^remove-agent-|^reserve-numbers$|^await-nodes$/.test(name))
    .map((name) => [name, 'not taken' as const]),
);

/** Removes one agent from a cluster. */
export const scaleDownLiteCluster: Kind = {
  name: 'scale down lite cluster',
  jobType: 'lite.scale',
  steps: scaleLiteClusterSteps.map(({ name }) => name),
  entries: {
    ...notTaken,
    plan: 'no call',
    'remove-agent-0': [
      { label: 'look', service: 'compute', operation: 'servers.get', isRead: true },
      { label: 'server', service: 'compute', operation: 'servers.delete' },
    ],
    record: 'no call',
  },
  completed: { servers: -1, volumes: -1, attachments: -1, ports: -1 },
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'remove-agent-0',
  prepare: (rig) => activeCluster(rig, BEFORE),
  start: (rig, id, requestId) => startScaling(rig, id, { agentCount: BEFORE - 1, requestId }),
  inspect: (rig, id, isCompleted) =>
    agentFlaws(rig, id, { agentCount: isCompleted ? BEFORE - 1 : BEFORE, isCompleted }),
};
