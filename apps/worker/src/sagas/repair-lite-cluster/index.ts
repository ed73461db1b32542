import { requireState, type Step } from '../../saga/index.ts';
import { agentSteps } from '../lite-clusters/agent-steps.ts';
import { awaitNewAgentsStep } from '../lite-clusters/await-new-agents.ts';
import { removeHeldNodesStep } from '../lite-clusters/remove-node.ts';
import { reserveNumbersStep } from '../lite-clusters/reserve-numbers.ts';
import {
  announce,
  type RepairLiteClusterContext as Context,
  type RepairLiteClusterState as State,
} from './saga.ts';
import { drainReplaced } from './steps/drain-node.ts';
import { planRepair } from './steps/plan.ts';
import { recordRepair } from './steps/record.ts';
import { removeMachine } from './steps/remove-machine.ts';

const reserveNumber = reserveNumbersStep<Context, State>(
  announce('nodes_creating', 'The new agent is being created.'),
  (context) => [requireState(context, 'replaced')],
);

const awaitNewNode = awaitNewAgentsStep<Context, State>(
  announce('nodes_joining', 'The new agent is joining the cluster.'),
);

/**
 * After the server of the old agent: a machine that still ran would register again. If the server is left,
 * the number stays held.
 */
const removeNode = removeHeldNodesStep<Context, State>('remove-node', (context) =>
  requireState(context, 'machineLeft').every(({ type }) => type !== 'server'),
);

/** The replacement of an agent: the new one joins before anything of the old one is removed. */
export const repairLiteClusterSteps: readonly Step<Context, State>[] = [
  planRepair,
  reserveNumber,
  ...agentSteps<Context, State>(1),
  awaitNewNode,
  recordRepair,
  drainReplaced,
  removeMachine,
  removeNode,
];
