import { forbidden, type GatewayError, storeUnavailable } from '@gateway/core';
import { credentialMakerName, credentialRoles, type NamedLiteCluster } from '@gateway/lite';
import {
  type ApplicationCredentialLogin,
  explainRefusal,
  type Identity,
  isRefusedByMultiFactorRules,
  UpstreamError,
} from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';
import { DELEGATION_LIFETIME_MS } from './enqueue-with-delegation.ts';
import { endIntent, enqueueWithMade } from './enqueue-with-made.ts';

/**
 * Enqueues a job with a credential of the caller that may create others. A credential that no job uses is
 * removed here, or by the workers if this process dies first or gets no response.
 *
 * @throws 403 with the reason if the caller may not create application credentials; 503 if the store is
 * unavailable
 */
export async function withCredentialMaker(
  request: RequestContext,
  cluster: NamedLiteCluster,
  enqueue: (maker: ApplicationCredentialLogin) => Promise<string>,
): Promise<void> {
  const name = credentialMakerName(cluster, request.jobId);
  const expiresAt = request.app.clock.now() + DELEGATION_LIFETIME_MS;
  const { app, caller, logger, requestId } = request;
  const intents = app.credentialMakerIntents;
  const intentId = await putIntent(request, name, expiresAt);
  const description = `Jobs of the cluster ${cluster.name}`;
  const maker = await createCredentialMaker(request, { name, description, expiresAt }, intentId);
  await enqueueWithMade(
    app,
    {
      intents,
      intentId,
      isIn: ({ credentialMaker }) => credentialMaker?.id === maker.id,
      remove: () => app.credentialMakers.remove(maker, caller.identity, { requestId }),
      onRemovalFailed: (error) =>
        logger.warn('An unused application credential could not be removed yet', { error }),
    },
    () => enqueue(maker),
  );
}

async function putIntent(
  { app, caller, jobId }: RequestContext,
  name: string,
  expiresAt: number,
): Promise<string> {
  const { userId } = caller.identity;
  const intent = { userId, name, jobId, expiresAt, since: app.clock.now() };
  const stored = await app.credentialMakerIntents.put(intent).catch((cause: unknown) => {
    throw storeUnavailable('The job could not be queued. Please try again.', { cause, retryAfterSeconds: 5 });
  });
  return stored.id;
}

/**
 * The credential with which a job later creates that of the plugins. By then the user may have logged out or
 * changed their password.
 */
async function createCredentialMaker(
  request: RequestContext,
  { name, description, expiresAt }: { name: string; description: string; expiresAt: number },
  intentId: string,
): Promise<ApplicationCredentialLogin> {
  const { app, caller, requestId } = request;
  const { identity } = caller;
  const roles = credentialRoles(identity.roles, app.config.identity.adminRole);
  try {
    return await app.credentialMakers.create(
      identity,
      { name, description, roles, expiresAt: new Date(expiresAt).toISOString() },
      { requestId },
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    endIntent({ intents: app.credentialMakerIntents, intentId });
    throw explained(error, identity);
  }
}

function isRefusal(error: unknown): error is UpstreamError {
  if (isRefusedByMultiFactorRules(error)) return true;
  return error instanceof UpstreamError && [400, 403].includes(error.upstreamStatus ?? 0);
}

const NEEDED = 'The plugins of a cluster need an application credential of yours';

/**
 * Why the identity service refuses the credential: a token of an application credential, roles of single
 * sign-on, or multi-factor rules.
 */
function explained(error: UpstreamError, { origin }: Identity): GatewayError {
  const detail = isRefusedByMultiFactorRules(error)
    ? `${NEEDED}. ${error.message}`
    : `${NEEDED}, which the identity service refuses: ${REFUSALS[origin ?? 'other']}`;
  return forbidden(detail, { cause: error, upstream: error.upstream });
}

const REFUSALS: Record<NonNullable<Identity['origin']> | 'other', string> = {
  application_credential:
    'the token is itself of an application credential, which may not create others. Please use the token of a log-in.',
  trust: 'the token is of a trust, which may not create any. Please use the token of a log-in.',
  single_sign_on: explainRefusal('single_sign_on'),
  other: 'please ask an administrator whether users may create application credentials.',
};
