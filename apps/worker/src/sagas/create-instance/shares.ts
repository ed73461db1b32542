import { type ShareProtocol, serviceUserMissing } from '@gateway/libraries';
import type { BoundClient } from '@gateway/openstack';
import { requireState } from '../require-state.ts';
import { shareClientName } from '../resources/names.ts';
import { findRulesOf } from '../resources/share-rules.ts';
import type { CreateStepContext, ShareAccess } from './saga.ts';

/** A share below the instance's writable layer. */
export interface LayeredShare {
  id: string;
  protocol: ShareProtocol;
  /** The libraries that stand in it. */
  libraryIds: string[];
  /** Whether the instance fills it. */
  isDynamic: boolean;
  /** Who may change its access rules: the owner of a dynamic share, the gateway for an administrator's. */
  manager: BoundClient;
}

/** The instance's shares, the lowest layer first. `owner` is who manages what belongs to the project. */
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

export interface ShareIdentity {
  accessTo: string;
  accessType: 'cephx' | 'ip';
  accessLevel: 'ro' | 'rw';
}

/** As whom the instance gets into a share: by a name of its own, or by its address. */
export function accessOf(context: CreateStepContext, share: LayeredShare): ShareIdentity {
  const accessLevel = share.isDynamic ? 'rw' : 'ro';
  return share.protocol === 'NFS'
    ? { accessTo: requireState(context, 'port').address, accessType: 'ip', accessLevel }
    : { accessTo: shareClientName(context.projectId, context.jobId), accessType: 'cephx', accessLevel };
}

/** The rules that this job has made, as far as they are still there. */
export async function ownAccesses(context: CreateStepContext): Promise<FoundAccess[]> {
  const accesses: FoundAccess[] = [];
  for (const { id: shareId, manager } of await layeredShares(context, context.remover())) {
    const rules = await findRulesOf(manager, shareId, context);
    accesses.push(...rules.map(({ id, access_to }) => ({ shareId, ruleId: id, accessTo: access_to })));
  }
  return accesses;
}

export interface FoundAccess extends ShareAccess {
  /** The name or address that the rule lets in. */
  accessTo: string;
}
