import { forbidden, GatewayError, notFound, UnknownSealingKeyError } from '@gateway/core';
import { buildIdentityKubeconfig, type IdentityUser, type LiteCluster, parseKubeconfig } from '@gateway/lite';
import { baseUrl, type Identity } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { liteClusterActions } from '../../resources/lite-cluster-actions.ts';
import { requireAction, requirePermission } from '../../resources/require-action.ts';
import type { KubeconfigQuery } from './schemas.ts';

/**
 * The configuration file of a cluster for the caller: with the certificate of an administrator of the
 * cluster, or for tokens of the identity service. See decision 102.
 *
 * @throws 403 for readers, unless the cluster takes tokens; 404 before the cluster is complete; 503 if the
 * sealing key of the file is missing
 */
export async function readKubeconfig(
  request: RequestContext<unknown, KubeconfigQuery>,
  cluster: LiteCluster,
): Promise<string> {
  const { app, caller, query } = request;
  const rule = liteClusterActions.get_kubeconfig;
  const state = { cluster, busyWith: null };
  requirePermission(request, rule, state);
  const takesTokens = cluster.plugins.includes('identity_auth');
  if (!caller.can.includes('change')) {
    if (query.auth === 'certificate') throw notForReaders();
  } else if (query.auth !== 'identity') {
    return await storedFile();
  }
  if (!takesTokens) throw withoutIdentityAuth();
  const user = identityUserOf(caller.identity, app.config.identity.url);
  return buildIdentityKubeconfig(parseKubeconfig(await storedFile()), user);

  async function storedFile(): Promise<string> {
    requireAction(request, rule, state);
    const text = await readStored();
    if (text === null) throw notFound('The cluster has no configuration file, or not yet.');
    return text;
  }

  async function readStored(): Promise<string | null> {
    try {
      return await app.liteClusters.readSecret(cluster, 'kubeconfig');
    } catch (error) {
      if (!(error instanceof UnknownSealingKeyError)) throw error;
      throw new GatewayError(
        503,
        'sealing_key_missing',
        'The configuration file of the cluster cannot be decrypted, because the gateway lacks the key. Please ask an administrator.',
        { cause: error },
      );
    }
  }
}

function notForReaders(): GatewayError {
  return forbidden('The file with the certificate requires a role that may change the project.');
}

function withoutIdentityAuth(): GatewayError {
  return new GatewayError(
    409,
    'plugin_missing',
    'The cluster takes no tokens of the identity service: it was created without the plugin identity_auth.',
  );
}

function identityUserOf(
  { endpoints, projectName, userDomainName, userName }: Identity,
  configuredUrl: string,
): IdentityUser {
  const identityUrl = baseUrl('identity', endpoints.identity ?? configuredUrl);
  return { identityUrl, userName, domainName: userDomainName, projectName };
}
