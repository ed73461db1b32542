import type { LiteCluster } from './cluster.ts';
import type { LiteClusterStore } from './store.ts';

/** Part of the `status_reason` of an ACTIVE cluster whose credential the identity service rejects. */
export const CREDENTIAL_LOST =
  'The credential of the cluster no longer works: the user who created it has lost the account or the role in the project. ' +
  'The nodes continue to run, but their volumes, shares and load balancers are no longer managed. Restore the role, or create the cluster again.';

/** Older versions wrote the sentence into the record. */
export function isCredentialLost({
  isCredentialLost: isLost = false,
  statusReason,
}: Pick<LiteCluster, 'isCredentialLost' | 'statusReason'>): boolean {
  return isLost || statusReason === CREDENTIAL_LOST;
}

/** The number of clusters that have lost their credential, for metrics. */
export async function countLostCredentials(
  clusters: Pick<LiteClusterStore, 'openIds' | 'read'>,
): Promise<number> {
  const found = await Promise.all((await clusters.openIds()).map((id) => clusters.read(id)));
  return found.filter((cluster) => cluster !== null && isCredentialLost(cluster)).length;
}
