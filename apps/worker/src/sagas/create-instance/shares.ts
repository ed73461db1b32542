import { serviceUserMissing, shareClientName } from '@gateway/libraries';
import type { BoundClient } from '@gateway/openstack';
import { requireState } from '../../saga/index.ts';
import { findAccesses, type MountedShare, type ShareIdentity } from '../resources/share-access-step.ts';
import type { CreateStepContext } from './saga.ts';

/** A share that is a read-only layer below the instance's writable layer. */
export interface LayeredShare extends MountedShare {
  /** Whether the instance's first boot fills the share. */
  isDynamic: boolean;
  /** The owner's for a dynamic share, the gateway's for a prebuilt one. */
  manager: BoundClient;
}

/** The instance's shares, the lowest layer first. `owner` has the rights for shares of the project. */
export async function layeredShares(
  context: CreateStepContext,
  owner: BoundClient = context.owner(),
): Promise<LayeredShare[]> {
  const plan = requireState(context, 'plan');
  if (plan.strategy === 'dynamic') {
    return [
      {
        id: requireState(context, 'dynamicShareId'),
        protocol: context.config.fileStorage.shareProto,
        libraryIds: plan.libraryIds,
        isDynamic: true,
        manager: owner,
      },
    ];
  }
  const service = await context.service();
  if (service === null) throw serviceUserMissing();
  return plan.prebuiltShares.map(({ id, protocol, libraryId }) => ({
    id,
    protocol,
    libraryIds: [libraryId],
    isDynamic: false,
    manager: service,
  }));
}

export function accessOf(context: CreateStepContext, share: LayeredShare): ShareIdentity {
  const accessLevel = share.isDynamic ? 'rw' : 'ro';
  return share.protocol === 'NFS'
    ? { accessTo: requireState(context, 'port').address, accessType: 'ip', accessLevel }
    : { accessTo: shareClientName(context.projectId, context.jobId), accessType: 'cephx', accessLevel };
}

/** The access rules of this job that still exist. */
export async function findOwnAccesses(context: CreateStepContext) {
  return findAccesses(await layeredShares(context, context.remover()), context);
}
