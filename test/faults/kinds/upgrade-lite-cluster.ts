import { upgradeLiteClusterSteps } from '../../../apps/worker/src/sagas/upgrade-lite-cluster/index.ts';
import { readCluster, readUpgrades } from '../../support/lite/clusters.ts';
import type { Kind } from '../kind.ts';
import { activeCluster } from './active-lite-cluster.ts';

const AGENTS = 1;

const notTaken = Object.fromEntries(
  upgradeLiteClusterSteps
    .map(({ name }) => name)
    .filter((name) => Number(/^agent-(\d+)$/.exec(name)?.[1] ?? 0) >= AGENTS)
    .map((name) => [name, 'not taken' as const]),
);

/** The upgrade of a cluster with an agent and plugins to the next release. Creates and removes nothing. */
export const upgradeLiteCluster: Kind = {
  name: 'upgrade lite cluster',
  jobType: 'lite.upgrade',
  steps: upgradeLiteClusterSteps.map(({ name }) => name),
  entries: {
    ...notTaken,
    plan: [
      { label: 'network', service: 'network', operation: 'networks.get', isRead: true },
      { label: 'subnets', service: 'network', operation: 'subnets.list', isRead: true },
    ],
    'control-node': 'no call',
    'agent-0': 'no call',
    plugins: 'no call',
    record: 'no call',
  },
  completed: {},
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'record',
  prepare: (rig) => activeCluster(rig, AGENTS),
  async start(rig, id, requestId) {
    const { versions } = await readUpgrades(rig.gateway(0), id);
    const body = { version: versions.at(-1) };
    return rig.startJob(requestId, 'POST', `/api/lite/clusters/${id}/upgrade`, body);
  },
  async inspect(rig, id, isCompleted) {
    const cluster = await readCluster(rig.gateway(), id);
    const { versions } = await readUpgrades(rig.gateway(), id);
    const isTrue =
      cluster.status === 'ACTIVE' &&
      (isCompleted ? cluster.upgrade === null : cluster.upgrade?.status !== 'UPGRADING') &&
      (cluster.status_reason === null) === isCompleted &&
      (versions.length === 0) === isCompleted;
    return isTrue ? [] : [`the record tells ${JSON.stringify(cluster)}`];
  },
};
