import type { Cluster } from '@gateway/lite';
import { nullIfNotFound, UpstreamError } from '@gateway/openstack';
import type { ClusterContext } from './context.ts';

/**
 * Removes the application credential of a cluster. Only its user and administrators may: when another member deletes the
 * cluster, the gateway's own user does it.
 */
export async function removeCredential(
  context: Pick<ClusterContext, 'remover' | 'service'>,
  { id, userId }: NonNullable<Cluster['credential']>,
): Promise<void> {
  try {
    await nullIfNotFound(context.remover().identity.applicationCredentials.remove(userId, id));
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.upstreamStatus !== 403) throw error;
    const service = await context.service();
    if (service === null) throw error;
    await nullIfNotFound(service.identity.applicationCredentials.remove(userId, id));
  }
}
