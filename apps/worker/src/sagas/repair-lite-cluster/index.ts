import type { Step } from '../../saga/index.ts';
import { agentSteps } from '../lite-clusters/agent-steps.ts';
import type { RepairLiteClusterContext, RepairLiteClusterState } from './saga.ts';
import { awaitNewNode } from './steps/await-node.ts';
import { drainReplaced } from './steps/drain-node.ts';
import { planRepair } from './steps/plan.ts';
import { recordRepair } from './steps/record.ts';
import { removeMachine } from './steps/remove-machine.ts';
import { removeNode } from './steps/remove-node.ts';
import { reserveNumber } from './steps/reserve-number.ts';

/** The replacement of an agent: the new one joins before anything of the old one is removed. */
export const repairLiteClusterSteps: readonly Step<RepairLiteClusterContext, RepairLiteClusterState>[] = [
  planRepair,
  reserveNumber,
  ...agentSteps<RepairLiteClusterContext, RepairLiteClusterState>(1),
  awaitNewNode,
  recordRepair,
  drainReplaced,
  removeMachine,
  removeNode,
];
