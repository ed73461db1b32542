import { clusterScalingProgress } from '@gateway/jobs';
import { agentNodeName } from '@gateway/lite';
import { requireState } from '@gateway/saga';
import { awaitNodesStep } from '../../lite-clusters/await-nodes.ts';
import { defineScaleStep, type ScaleLiteClusterContext, type ScaleLiteClusterState } from '../saga.ts';

export const awaitNewNodes = defineScaleStep({
  ...awaitNodesStep<ScaleLiteClusterContext, ScaleLiteClusterState>((context) => {
    const { cluster, numbers } = requireState(context, 'agentPlan');
    return numbers.map((number) => agentNodeName(cluster, number));
  }),
  when: (context) => requireState(context, 'agentPlan').numbers.length > 0,
  beginUpdate: {
    step: 'nodes_joining',
    progress: clusterScalingProgress.nodes_joining,
    message: 'The new agents are joining the cluster.',
  },
});
