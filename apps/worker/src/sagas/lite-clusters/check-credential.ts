import { GatewayError } from '@gateway/core';
import { calledServices, type LiteCluster } from '@gateway/lite';
import {
  type ApplicationCredentialLogin,
  type BoundClient,
  isNotFound,
  isRefusedByMultiFactorRules,
  serviceTitles,
  UpstreamError,
} from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';
import type { LiteClusterContext } from './context.ts';

/** An id that no resource has. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** One read per service. The access rules of every plugin that needs the service permit this read. */
const reads: Partial<Record<ServiceName, (cloud: BoundClient, keyId: string | null) => Promise<unknown>>> = {
  compute: ({ compute }) => compute.servers.get(NO_ID),
  network: ({ network }) => network.subnets.get(NO_ID),
  blockStorage: ({ blockStorage }) => blockStorage.volumes.get(NO_ID),
  sharedFileSystem: ({ sharedFileSystem }) => sharedFileSystem.shares.get(NO_ID),
  loadBalancer: ({ loadBalancer }) => loadBalancer.loadBalancers.get(NO_ID),
  keyManager: ({ keyManager }, keyId) => keyManager.secrets.get(keyId ?? NO_ID),
};

/**
 * Checks that the services which the plugins need accept the cluster's credential. A service that does not
 * support access rules refuses every request with the credential. A service that does not answer is no reason
 * to fail.
 *
 * @throws 503 `plugin_unavailable` if a service refuses
 */
export async function checkCredential(
  context: Pick<LiteClusterContext, 'logger' | 'logInWith'>,
  { plugins, keyId }: Pick<LiteCluster, 'plugins' | 'keyId'>,
  credential: ApplicationCredentialLogin,
): Promise<void> {
  const cloud = await accepted('identity', context.logInWith(credential));
  for (const service of calledServices(plugins, { keyId })) {
    try {
      await accepted(service, reads[service]?.(cloud, keyId) ?? Promise.resolve());
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (isNotFound(error)) continue;
      context.logger.warn('A service did not answer the check of a cluster credential', {
        service,
        error,
      });
    }
  }
}

async function accepted<T>(service: ServiceName, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const isRefusal = error instanceof UpstreamError && [401, 403].includes(error.upstreamStatus ?? 0);
    if (!isRefusal) throw error;
    const detail = isRefusedByMultiFactorRules(error)
      ? `The plugins of the cluster cannot work. ${error.message}`
      : `The plugins of the cluster cannot work: the ${serviceTitles[service]} service refuses the limited credential of the plugins. ` +
        `The operator of the gateway can set lite.limit_credentials to false.`;
    throw new GatewayError(503, 'plugin_unavailable', detail, { cause: error, upstream: error.upstream });
  }
}
