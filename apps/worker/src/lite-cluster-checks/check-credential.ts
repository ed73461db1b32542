import type { LiteCluster } from '@gateway/lite';
import { type CallContext, isCredentialRejected } from '@gateway/openstack';
import type { WorkerContext } from '../context.ts';

/**
 * Checks that the credential of an ACTIVE cluster still works, and records in the cluster's record if it does
 * not.
 */
export async function checkClusterCredential(
  { liteClusters, logger, openstack }: WorkerContext,
  cluster: LiteCluster,
  call: CallContext,
): Promise<void> {
  const { credential } = cluster;
  const secret = await liteClusters.readSecret(cluster, 'credentialSecret');
  if (credential === null || secret === null) return;
  const isLost = await openstack.identity
    .authenticateApplicationCredential({ id: credential.id, secret }, call)
    .then(
      () => false,
      (error: unknown) => {
        if (isCredentialRejected(error)) return true;
        throw error;
      },
    );
  if (isLost === cluster.isCredentialLost) return;
  await liteClusters.update(cluster, { isCredentialLost: isLost }, ['ACTIVE']);
  const fields = { cluster_id: cluster.id, user_id: credential.userId };
  if (isLost) logger.warn('The credential of a cluster no longer works', fields);
  else logger.info('The credential of a cluster works again', fields);
}
