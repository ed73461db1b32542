import { MAX_AGENTS } from '@gateway/lite';
import type { Step } from '../../saga/index.ts';
import { agentSteps } from '../lite-clusters/agent-steps.ts';
import type { ScaleLiteClusterContext, ScaleLiteClusterState } from './saga.ts';
import { awaitNewNodes } from './steps/await-nodes.ts';
import { drainAgent } from './steps/drain-agent.ts';
import { planScaling } from './steps/plan.ts';
import { recordScaling } from './steps/record.ts';
import { removeAgent } from './steps/remove-agent.ts';
import { removeNodes } from './steps/remove-nodes.ts';
import { reserveNumbers } from './steps/reserve-numbers.ts';

/** The change of a cluster's number of agents. Additions are all or nothing, removals one after the other. */
export const scaleLiteClusterSteps: readonly Step<ScaleLiteClusterContext, ScaleLiteClusterState>[] = [
  planScaling,
  reserveNumbers,
  ...agentSteps<ScaleLiteClusterContext, ScaleLiteClusterState>(),
  awaitNewNodes,
  ...Array.from({ length: MAX_AGENTS }, (_, index) => MAX_AGENTS - 1 - index).flatMap((left) => [
    drainAgent(left),
    removeAgent(left),
  ]),
  recordScaling,
  removeNodes,
];
