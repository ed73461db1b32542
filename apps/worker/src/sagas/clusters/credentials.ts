import { type Cluster, credentialName } from '@gateway/lite';
import { type BoundClient, nullIfNotFound, UpstreamError } from '@gateway/openstack';
import type { ClusterContext } from './context.ts';

type Rights = Pick<ClusterContext, 'remover' | 'service'>;

/** The ids of the application credentials that bear the name of this cluster. */
export async function findCredentials(rights: Rights, cluster: Cluster): Promise<string[]> {
  const found = await asPersonOrService(rights, ({ identity }) =>
    identity.applicationCredentials.listByName(cluster.userId, credentialName(cluster)),
  );
  return found.map(({ id }) => id);
}

export async function removeCredential(
  rights: Rights,
  { id, userId }: NonNullable<Cluster['credential']>,
): Promise<void> {
  await asPersonOrService(rights, ({ identity }) =>
    nullIfNotFound(identity.applicationCredentials.remove(userId, id)),
  );
}

/**
 * Only the user of a credential and administrators see and remove it, and a delegation of the user does not count. So when a
 * job works with a delegation, or for another member, the gateway's own user does it.
 */
async function asPersonOrService<T>(
  { remover, service }: Rights,
  call: (client: BoundClient) => Promise<T>,
): Promise<T> {
  try {
    return await call(remover());
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.upstreamStatus !== 403) throw error;
    const administrator = await service();
    if (administrator === null) throw error;
    return call(administrator);
  }
}
