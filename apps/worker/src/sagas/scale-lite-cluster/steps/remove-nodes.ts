import { requireState } from '../../../saga/index.ts';
import { removeHeldNodesStep } from '../../lite-clusters/remove-node.ts';
import type { ScaleLiteClusterContext, ScaleLiteClusterState } from '../saga.ts';

/** What the removals of the agents could not remove. */
export const removeNodes = removeHeldNodesStep<ScaleLiteClusterContext, ScaleLiteClusterState>(
  'remove-nodes',
  (context) => requireState(context, 'removals').length > 0,
);
