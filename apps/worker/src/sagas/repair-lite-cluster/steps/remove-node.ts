import { ParkedError, requireState } from '../../../saga/index.ts';
import { apiServerGraceMs } from '../../lite-clusters/await-nodes.ts';
import { releaseNumbers } from '../../lite-clusters/remove-node.ts';
import { defineRepairStep } from '../saga.ts';

/**
 * Removes the node object of the old agent, after its server: a machine that still ran would register again.
 * If the server is left, or the API server does not answer, the number stays held until the next change of
 * the cluster's nodes.
 */
export const removeNode = defineRepairStep({
  name: 'remove-node',
  when: (context) => requireState(context, 'machineLeft').every(({ type }) => type !== 'server'),
  onRepeat: 'idempotent',
  async run(context) {
    const { clusterId, config, liteClusters, since } = context;
    const { number } = requireState(context, 'replaced');
    const cluster = await liteClusters.read(clusterId);
    // The deletion of a cluster removes its nodes.
    if (cluster?.status !== 'ACTIVE') return {};
    const { heldNumbers } = await releaseNumbers(context, cluster, [number]);
    const isGone = !heldNumbers.includes(number);
    if (isGone || Date.now() > since + apiServerGraceMs(config)) return {};
    throw new ParkedError(config.jobs.pollIntervalMs);
  },
});
