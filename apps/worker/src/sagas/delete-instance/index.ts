import type { Step } from '../../saga/index.ts';
import type { DeleteInstanceContext, DeleteInstanceState } from './saga.ts';
import { deleteAssociatedResources } from './steps/associated-resources.ts';
import { findDuplicateServers } from './steps/duplicates.ts';
import { releaseLateFloatingIps } from './steps/late-floating-ips.ts';
import { findAssociatedResources } from './steps/look-up.ts';
import { deleteServer } from './steps/server.ts';

/**
 * The deletion of an instance. A refused delete fails the job with nothing changed. Once the compute service
 * has accepted the delete, the job only moves forward.
 */
export const deleteInstanceSteps: readonly Step<DeleteInstanceContext, DeleteInstanceState>[] = [
  findAssociatedResources,
  deleteServer,
  findDuplicateServers,
  deleteAssociatedResources,
  releaseLateFloatingIps,
];
