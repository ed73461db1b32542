import { agentNodeName, serverNodeName } from '@gateway/lite';
import { withNodes } from '../../lite-clusters/remove-node.ts';
import { announce, clusterOf, defineDeleteStep, hasRecord } from '../saga.ts';

/** Removes the node objects, if the API server still responds. They disappear with the cluster anyway. */
export const removeNodes = defineDeleteStep<{ nodesTried: boolean }>({
  name: 'nodes',
  when: hasRecord,
  beginUpdate: announce('nodes', 'The nodes are being removed from the cluster.'),
  async run(context) {
    const cluster = clusterOf(context);
    const names = [
      ...cluster.agents.map(({ number }) => agentNodeName(cluster, number)),
      serverNodeName(cluster),
    ];
    try {
      await withNodes(context, cluster, async (api) => {
        await Promise.all(names.map((name) => api.deleteNode(name)));
      });
    } catch (error) {
      context.signal.throwIfAborted();
      // For example, the secrets of the cluster cannot be decrypted.
      context.logger.warn('The node objects of a cluster could not be removed', { error });
    }
    return { nodesTried: true };
  },
});
