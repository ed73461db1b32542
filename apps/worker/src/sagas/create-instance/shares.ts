import { GatewayError } from '@gateway/core';
import type { BoundClient } from '@gateway/openstack';
import { shareClientName } from '../names.ts';
import { type CreateStepContext, need, type ShareProtocol } from './saga.ts';

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
  const plan = need(context, 'plan');
  if (plan.strategy === 'dynamic') {
    return [
      {
        id: need(context, 'dynamicShareId'),
        protocol: context.config.fileStorage.shareProto,
        libraryIds: plan.libraryIds,
        isDynamic: true,
        manager: owner,
      },
    ];
  }
  const service = await context.service();
  if (service === null) {
    throw new GatewayError(
      503,
      'service_user_missing',
      'Prebuilt libraries need the service user of the gateway, and none is configured.',
    );
  }
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
    ? { accessTo: need(context, 'port').address, accessType: 'ip', accessLevel }
    : { accessTo: shareClientName(context.projectId, context.jobId), accessType: 'cephx', accessLevel };
}

/** The interface's neutral names and the service's own. */
export function toServiceProtocol(protocol: ShareProtocol): string {
  return protocol === 'NATIVEFS' ? 'CEPHFS' : 'NFS';
}

/** Null for a protocol that no layer can be made of. */
export function fromServiceProtocol(protocol: string): ShareProtocol | null {
  if (protocol.toUpperCase() === 'CEPHFS') return 'NATIVEFS';
  return protocol.toUpperCase() === 'NFS' ? 'NFS' : null;
}
