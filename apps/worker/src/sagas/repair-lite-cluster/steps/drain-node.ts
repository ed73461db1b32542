import { agentNodeName } from '@gateway/lite';
import { requireState } from '../../../saga/index.ts';
import { drainNode, withNodes } from '../../lite-clusters/remove-node.ts';
import { announce, defineRepairStep } from '../saga.ts';

/**
 * Only a node that is alive can stop its pods: those of a dead one would be awaited in vain. It may have come
 * back since the job began.
 */
export const drainReplaced = defineRepairStep({
  name: 'drain-node',
  beginUpdate: announce('nodes_removing', 'The replaced node is being drained, if it is ready.'),
  onRepeat: 'idempotent',
  async run(context) {
    const { clusterId, config, liteClusters, since } = context;
    const cluster = await liteClusters.read(clusterId);
    if (cluster?.status !== 'ACTIVE') return {};
    const node = agentNodeName(cluster, requireState(context, 'replaced').number);
    const deadline = since + config.timeLimits.liteDrainSeconds * 1000;
    let isReady = requireState(context, 'isReady');
    await withNodes(context, cluster, async (api) => {
      isReady = (await api.getNode(node))?.ready === true;
    });
    if (isReady) await drainNode(context, cluster, { node, deadline });
    return {};
  },
});
