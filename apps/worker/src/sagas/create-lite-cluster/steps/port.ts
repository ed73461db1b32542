import { conflict } from '@gateway/core';
import { serverNodeName } from '@gateway/lite';
import { requireState } from '../../../saga/index.ts';
import { portStep } from '../../resources/port-step.ts';
import type { CreateLiteClusterContext, CreateLiteClusterState } from '../saga.ts';

/**
 * The control node's port: agents and the certificate of the API server name its address before the node
 * boots.
 */
export const createPort = portStep<CreateLiteClusterContext, CreateLiteClusterState>({
  name: 'port',
  key: 'port',
  portName: (context) => serverNodeName(requireState(context, 'agentPlan').cluster),
  networkId: (context) => requireState(context, 'plan').networkId,
  securityGroupIds: (context) => [requireState(context, 'securityGroupId')],
  withoutAddress: () => conflict('unsuitable', 'The network has no address for the control node.'),
});
