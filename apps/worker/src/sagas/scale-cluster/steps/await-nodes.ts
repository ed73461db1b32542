import { clusterScalingProgress } from '@gateway/jobs';
import { agentNodeName } from '@gateway/lite';
import { requireState } from '@gateway/saga';
import { awaitNodesStep } from '../../clusters/await-nodes.ts';
import { defineScaleStep, type ScaleClusterContext, type ScaleClusterState } from '../saga.ts';

export const awaitNewNodes = defineScaleStep({
  ...awaitNodesStep<ScaleClusterContext, ScaleClusterState>((context) => {
    const { cluster, numbers } = requireState(context, 'agentPlan');
    return numbers.map((number) => agentNodeName(cluster, number));
  }),
  when: (context) => requireState(context, 'agentPlan').numbers.length > 0,
  beginUpdate: {
    step: 'nodes_joining',
    progress: clusterScalingProgress.nodes_joining,
    message: 'The new workers are joining the cluster.',
  },
});
