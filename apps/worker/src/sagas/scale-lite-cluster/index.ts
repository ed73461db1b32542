import { MAX_AGENTS } from '@gateway/lite';
import { requireState, type Step } from '../../saga/index.ts';
import { agentSteps } from '../lite-clusters/agent-steps.ts';
import { awaitNewAgentsStep } from '../lite-clusters/await-new-agents.ts';
import { removeHeldNodesStep } from '../lite-clusters/remove-node.ts';
import { reserveNumbersStep } from '../lite-clusters/reserve-numbers.ts';
import {
  announce,
  type ScaleLiteClusterContext as Context,
  type ScaleLiteClusterState as State,
} from './saga.ts';
import { drainAgent } from './steps/drain-agent.ts';
import { planScaling } from './steps/plan.ts';
import { recordScaling } from './steps/record.ts';
import { removeAgent } from './steps/remove-agent.ts';

const reserveNumbers = reserveNumbersStep<Context, State>(
  announce('nodes_creating', 'The new agents are being created.'),
);

const awaitNewNodes = awaitNewAgentsStep<Context, State>(
  announce('nodes_joining', 'The new agents are joining the cluster.'),
);

/** What the removals of the agents could not remove. */
export const removeNodes = removeHeldNodesStep<Context, State>(
  'remove-nodes',
  (context) => requireState(context, 'removals').length > 0,
);

/** The change of a cluster's number of agents. Additions are all or nothing, removals one after the other. */
export const scaleLiteClusterSteps: readonly Step<Context, State>[] = [
  planScaling,
  reserveNumbers,
  ...agentSteps<Context, State>(),
  awaitNewNodes,
  ...Array.from({ length: MAX_AGENTS }, (_, index) => MAX_AGENTS - 1 - index).flatMap((left) => [
    drainAgent(left),
    removeAgent(left),
  ]),
  recordScaling,
  removeNodes,
];
