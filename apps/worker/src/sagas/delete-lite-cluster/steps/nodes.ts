import { clusterDeletionProgress } from '@gateway/jobs';
import { agentNodeName, serverNodeName } from '@gateway/lite';
import { withNodes } from '../../lite-clusters/remove-node.ts';
import { clusterOf, defineDeleteStep, hasRecord } from '../saga.ts';

/** Removes the node objects, if the API server still responds. They disappear with the cluster anyway. */
export const removeNodes = defineDeleteStep<{ nodesTried: boolean }>({
  name: 'nodes',
  when: hasRecord,
  beginUpdate: {
    step: 'nodes',
    progress: clusterDeletionProgress.nodes,
    message: 'The nodes are being removed from the cluster.',
  },
  async run(context) {
    const cluster = clusterOf(context);
    const names = [
      ...cluster.agents.map(({ number }) => agentNodeName(cluster, number)),
      serverNodeName(cluster),
    ];
    await withNodes(context, cluster, async (api) => {
      await Promise.all(names.map((name) => api.deleteNode(name)));
    });
    return { nodesTried: true };
  },
});
