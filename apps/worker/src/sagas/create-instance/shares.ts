import { type ShareProtocol, serviceUserMissing, shareClientName } from '@gateway/libraries';
import type { BoundClient } from '@gateway/openstack';
import { requireState } from '@gateway/saga';
import { findAccessRules } from '../resources/access-rules.ts';
import type { CreateStepContext, ShareAccess } from './saga.ts';

/** A share that is a read-only layer below the instance's writable layer. */
export interface LayeredShare {
  id: string;
  protocol: ShareProtocol;
  /** The libraries that the share contains. */
  libraryIds: string[];
  /** Whether the instance's first boot fills the share. */
  isDynamic: boolean;
  /**
   * The rights to change the access rules: the owner's for a dynamic share, the gateway's for a prebuilt one.
   */
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

interface ShareIdentity {
  accessTo: string;
  accessType: 'cephx' | 'ip';
  accessLevel: 'ro' | 'rw';
}

/** The identity that a share grants access to: a client name of the instance, or its address. */
export function accessOf(context: CreateStepContext, share: LayeredShare): ShareIdentity {
  const accessLevel = share.isDynamic ? 'rw' : 'ro';
  return share.protocol === 'NFS'
    ? { accessTo: requireState(context, 'port').address, accessType: 'ip', accessLevel }
    : { accessTo: shareClientName(context.projectId, context.jobId), accessType: 'cephx', accessLevel };
}

/** The access rules of this job that still exist. */
export async function findOwnAccesses(context: CreateStepContext): Promise<FoundAccess[]> {
  const accesses: FoundAccess[] = [];
  for (const { id: shareId, manager } of await layeredShares(context, context.remover())) {
    const rules = await findAccessRules(manager, shareId, context);
    accesses.push(...rules.map(({ id, access_to }) => ({ shareId, ruleId: id, accessTo: access_to })));
  }
  return accesses;
}

interface FoundAccess extends ShareAccess {
  /** The client name or address that the rule grants access to. */
  accessTo: string;
}
