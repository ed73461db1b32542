import { forbidden } from '@gateway/core';
import { credentialMakerName, credentialRoles, type NamedLiteCluster } from '@gateway/lite';
import {
  type ApplicationCredentialLogin,
  explainRefusal,
  type Identity,
  UpstreamError,
} from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';
import { DELEGATION_LIFETIME_MS } from './enqueue-with-delegation.ts';

/**
 * Enqueues a job with a credential of the caller that may create others, and removes it if the job cannot be
 * queued.
 *
 * @throws 403 with the reason if the caller may not create application credentials
 */
export async function withCredentialMaker(
  request: RequestContext,
  cluster: NamedLiteCluster,
  enqueue: (maker: ApplicationCredentialLogin) => Promise<unknown>,
): Promise<void> {
  const maker = await createCredentialMaker(request, cluster);
  try {
    await enqueue(maker);
  } catch (error) {
    void removeCredentialMaker(request, maker);
    throw error;
  }
}

/**
 * The credential with which a job later creates that of the plugins. By then the user may have logged out or
 * changed their password.
 */
async function createCredentialMaker(
  { app, caller, requestId }: RequestContext,
  cluster: NamedLiteCluster,
): Promise<ApplicationCredentialLogin> {
  const { identity } = caller;
  const roles = credentialRoles(identity.roles, app.config.identity.adminRole);
  try {
    return await app.credentialMakers.create(
      identity,
      {
        name: credentialMakerName(cluster),
        description: `Jobs of the cluster ${cluster.name}`,
        roles,
        expiresAt: new Date(app.clock.now() + DELEGATION_LIFETIME_MS).toISOString(),
      },
      { requestId },
    );
  } catch (error) {
    throw explained(error, identity);
  }
}

async function removeCredentialMaker(
  { app, caller, logger, requestId }: RequestContext,
  maker: ApplicationCredentialLogin,
): Promise<void> {
  await app.credentialMakers.remove(maker, caller.identity, { requestId }).catch((error: unknown) => {
    logger.warn('Failed to remove an unused application credential; it expires by itself', { error });
  });
}

/**
 * Why the identity service refuses the credential: a token of an application credential, or roles of single
 * sign-on.
 */
function explained(error: unknown, { origin }: Identity): unknown {
  if (!(error instanceof UpstreamError) || ![400, 403].includes(error.upstreamStatus ?? 0)) return error;
  const cause = REFUSALS[origin ?? 'other'];
  return forbidden(
    `The plugins of a cluster need an application credential of yours, which the identity service refuses: ${cause}`,
    { cause: error, upstream: error.upstream },
  );
}

const REFUSALS: Record<NonNullable<Identity['origin']> | 'other', string> = {
  application_credential:
    'the token is itself of an application credential, which may not create others. Please use the token of a log-in.',
  trust: 'the token is of a trust, which may not create any. Please use the token of a log-in.',
  single_sign_on: explainRefusal('single_sign_on'),
  other: 'please ask an administrator whether users may create application credentials.',
};
