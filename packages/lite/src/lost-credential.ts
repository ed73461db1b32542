import type { LiteCluster } from './cluster.ts';
import { isCredentialReplaceable } from './plugins/index.ts';
import type { LiteClusterStore } from './store.ts';

/** Part of the `status_reason` of an ACTIVE cluster whose credential the identity service rejects. */
export function describeLostCredential({ id, plugins }: Pick<LiteCluster, 'id' | 'plugins'>): string {
  const remedy = isCredentialReplaceable(plugins)
    ? `or let another member of the project replace the credential (POST /api/lite/clusters/${id}/credential)`
    : 'or create the cluster again';
  return (
    'The credential of the cluster no longer works: the user whom it belongs to has lost the account or the role in the project, ' +
    'or has multi-factor rules without ["application_credential"]. ' +
    'The nodes continue to run, but their volumes, shares and load balancers are no longer managed. ' +
    `Restore the role or add the rule, ${remedy}.`
  );
}

/** The number of clusters that have lost their credential, for metrics. */
export async function countLostCredentials(
  clusters: Pick<LiteClusterStore, 'openIds' | 'read'>,
): Promise<number> {
  const found = await Promise.all((await clusters.openIds()).map((id) => clusters.read(id)));
  return found.filter((cluster) => cluster?.isCredentialLost).length;
}
