import { scaleLiteClusterSteps } from '../../../apps/worker/src/sagas/scale-lite-cluster/index.ts';
import type { Kind, StepEntry } from '../kind.ts';
import { activeCluster, agentFlaws, startScaling } from './active-lite-cluster.ts';

const BEFORE = 1;
const ADDED = 2;

function volume(nth: number): StepEntry {
  return [{ service: 'block-storage', operation: 'volumes.create', nth }];
}

function server(nth: number): StepEntry {
  return [{ service: 'compute', operation: 'servers.create', nth }];
}

/** The steps of further agents, and of removals. */
const notTaken = Object.fromEntries(
  scaleLiteClusterSteps
    .map(({ name }) => name)
    .filter((name) => /^(agent-(volume|server)|drain-agent|remove-agent)-\d+$/.test(name))
    .map((name) => [name, 'not taken' as const]),
);

/** Adds two agents to a cluster. */
export const scaleUpLiteCluster: Kind = {
  name: 'scale up lite cluster',
  jobType: 'lite.scale',
  steps: scaleLiteClusterSteps.map(({ name }) => name),
  entries: {
    ...notTaken,
    plan: [{ service: 'image', operation: 'images.list', isRead: true }],
    'reserve-numbers': 'no call',
    'agent-volume-0': volume(1),
    'agent-volume-1': volume(2),
    'agent-volumes': 'no call',
    'agent-server-0': server(1),
    'agent-server-1': server(2),
    'agent-servers': 'no call',
    'await-nodes': 'no call',
    record: 'no call',
    'remove-nodes': 'not taken',
  },
  completed: { servers: ADDED, volumes: ADDED, attachments: ADDED, ports: ADDED },
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'record',
  prepare: (rig) => activeCluster(rig, BEFORE),
  start: (rig, id, requestId) => startScaling(rig, id, { agentCount: BEFORE + ADDED, requestId }),
  inspect: (rig, id, isCompleted) =>
    agentFlaws(rig, id, { agentCounts: [isCompleted ? BEFORE + ADDED : BEFORE], isCompleted }),
};
