import type { Step } from '@gateway/saga';
import type { DeleteClusterContext, DeleteClusterState } from './saga.ts';
import { countKeptStorage } from './steps/kept-storage.ts';
import { lookAgain, removeLate } from './steps/late.ts';
import { findLoadBalancers, removeLoadBalancers } from './steps/load-balancers.ts';
import { markDeleted } from './steps/mark.ts';
import { removeNodes } from './steps/nodes.ts';
import { lookUpResources, removeBelongings, removeMachines } from './steps/resources.ts';
import { destroySecrets } from './steps/secrets.ts';
import { stopOtherJobs } from './steps/stop-jobs.ts';

/**
 * The deletion of a cluster. It commits with its first step, so it only moves forward. What cannot be removed becomes a
 * leftover, and does not stop the rest.
 */
export const deleteClusterSteps: readonly Step<DeleteClusterContext, DeleteClusterState>[] = [
  markDeleted,
  stopOtherJobs,
  findLoadBalancers,
  removeLoadBalancers,
  removeNodes,
  lookUpResources,
  removeMachines,
  removeBelongings,
  lookAgain,
  removeLate,
  countKeptStorage,
  destroySecrets,
];
