import { credentialName, type LiteCluster } from '@gateway/lite';
import { type BoundClient, nullIfNotFound, UpstreamError } from '@gateway/openstack';
import { isAccessLost } from '@gateway/saga';
import type { LiteClusterContext } from './context.ts';

type Rights = Pick<LiteClusterContext, 'service' | 'undelegatedOwner'>;

/** The ids of the application credentials that bear the name of this cluster. */
export async function findCredentials(rights: Rights, cluster: LiteCluster): Promise<string[]> {
  const found = await asOwnerOrService(rights, ({ identity }) =>
    identity.applicationCredentials.listByName(cluster.userId, credentialName(cluster)),
  );
  return found.map(({ id }) => id);
}

export async function removeCredential(
  rights: Rights,
  { id, userId }: NonNullable<LiteCluster['credential']>,
): Promise<void> {
  await asOwnerOrService(rights, ({ identity }) =>
    nullIfNotFound(identity.applicationCredentials.remove(userId, id)),
  );
}

/**
 * Only its user and administrators can see and remove a credential, and the user's delegation is not enough.
 * If the job belongs to another member, or its user's token has expired, the gateway's own user removes the
 * credential.
 */
async function asOwnerOrService<T>(
  { undelegatedOwner, service }: Rights,
  call: (client: BoundClient) => Promise<T>,
): Promise<T> {
  try {
    return await call(undelegatedOwner());
  } catch (error) {
    const isRefusal = error instanceof UpstreamError && error.upstreamStatus === 403;
    if (!isRefusal && !isAccessLost(error)) throw error;
    const administrator = await service();
    if (administrator === null) throw error;
    return call(administrator);
  }
}
