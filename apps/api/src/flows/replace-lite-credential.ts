import { conflict } from '@gateway/core';
import { credentialRoles, isCredentialReplaceable, type LiteCluster } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { changeLiteClusterByJob } from './change-lite-cluster.ts';

/**
 * Replaces the credential of a cluster's plugins by one of the caller. Returns the cluster as it is then.
 *
 * @throws 403 if the caller may not have such a credential, 409 if the cluster has none or the gateway cannot
 * replace it
 */
export function replaceLiteCredentialByJob(request: RequestContext, clusterId: string): Promise<LiteCluster> {
  const { app, caller } = request;
  const { roles, userId } = caller.identity;
  return changeLiteClusterByJob(
    request,
    clusterId,
    'lite.credential',
    (cluster) => {
      requireReplaceable(cluster);
      credentialRoles(roles, app.config.identity.adminRole);
      return { clusterId, userId, roles };
    },
    { createsCredential: true },
  );
}

function requireReplaceable({ credential, plugins }: LiteCluster): void {
  if (credential === null) {
    throw conflict('The cluster has no credential: none of its plugins calls the cloud.');
  }
  if (!isCredentialReplaceable(plugins)) {
    throw conflict(
      'The credential of the cluster cannot be replaced: the program of secrets_kms reads it from a file of the control ' +
        'node, which the gateway cannot change. If its user has lost the role in the project, restore the role.',
    );
  }
}
