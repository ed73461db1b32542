import type { Step } from '../../saga/index.ts';
import type { DeleteLiteClusterContext, DeleteLiteClusterState } from './saga.ts';
import { removeAccessRules } from './steps/access-rules.ts';
import { countKeptStorage } from './steps/kept-storage.ts';
import { recheckResources, removeLateResources } from './steps/late-resources.ts';
import { findLoadBalancers, removeLoadBalancers } from './steps/load-balancers.ts';
import { markDeleted } from './steps/mark-deleted.ts';
import { removeNodes } from './steps/nodes.ts';
import { lookUpResources, removeResources, removeServers } from './steps/resources.ts';
import { destroySecrets } from './steps/secrets.ts';
import { stopOtherJobs } from './steps/stop-jobs.ts';

/**
 * The deletion of a cluster. It commits with its first step, so it only moves forward. What cannot be removed
 * becomes a leftover, and does not stop the rest.
 */
export const deleteLiteClusterSteps: readonly Step<DeleteLiteClusterContext, DeleteLiteClusterState>[] = [
  markDeleted,
  stopOtherJobs,
  findLoadBalancers,
  removeLoadBalancers,
  removeNodes,
  lookUpResources,
  removeServers,
  removeResources,
  recheckResources,
  removeLateResources,
  removeAccessRules,
  countKeptStorage,
  destroySecrets,
];
