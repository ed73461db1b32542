import { requireState } from '../../../saga/index.ts';
import { removeHeldNodesStep } from '../../lite-clusters/remove-node.ts';
import type { RepairLiteClusterContext, RepairLiteClusterState } from '../saga.ts';

/**
 * After the server of the old agent: a machine that still ran would register again. If the server is left,
 * the number stays held.
 */
export const removeNode = removeHeldNodesStep<RepairLiteClusterContext, RepairLiteClusterState>(
  'remove-node',
  (context) => requireState(context, 'machineLeft').every(({ type }) => type !== 'server'),
);
