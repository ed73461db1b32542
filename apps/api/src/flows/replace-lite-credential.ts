import { credentialRoles, type LiteCluster } from '@gateway/lite';
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
    () => {
      credentialRoles(roles, app.config.identity.adminRole);
      return { clusterId, userId, roles };
    },
    { createsCredential: true },
  );
}
