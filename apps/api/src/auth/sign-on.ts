import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, GatewayError, notFound, trimEndChars } from '@gateway/core';
import {
  type CallContext,
  type Identity,
  type Openstack,
  UpstreamError,
  webSignOnOrigin,
  webSignOnUrl,
} from '@gateway/openstack';
import type { Config, Logger } from '@gateway/platform';
import { inFirstProject } from './first-project.ts';
import type { SealedTickets, SignOnAttempt } from './sealed-tickets.ts';

interface SignOnParts {
  config: Config;
  clock: Clock;
  logger: Logger;
  openstack: Openstack;
  sealedTickets: SealedTickets;
}

/** A browser that is sent to the identity service. */
interface BegunSignOn {
  location: string;
  /** For the cookie that recognises the browser when it returns. */
  attempt: string;
}

export const CALLBACK_PATH = '/api/auth/sso/callback';
/** Users type their password and further factors meanwhile. */
export const ATTEMPT_SECONDS = 600;
const CODE_SECONDS = 30;

/** @throws 404 for a provider that the site does not offer */
export function beginSignOn(
  { clock, config, sealedTickets }: SignOnParts,
  providerId: string,
  attempt: SignOnAttempt,
): BegunSignOn {
  const provider = config.sso.providers.find(({ id }) => id === providerId);
  if (provider === undefined) throw notFound('This site does not offer a single sign-on of this name.');
  const callback = trimEndChars(config.publicEndpoint.url ?? '', '/') + CALLBACK_PATH;
  const expiresAt = clock.now() + ATTEMPT_SECONDS * 1000;
  return {
    location: webSignOnUrl(config, provider, callback),
    attempt: sealedTickets.seal('sign-on-attempt', attempt, expiresAt),
  };
}

interface ReturningBrowser {
  /** The header `Origin`. Only browsers cannot forge it, which is sufficient: the victim has a browser. */
  origin: string | undefined;
  /** From the cookie. */
  attempt: string | undefined;
  /** Of the identity service, not checked yet. */
  token: string;
}

/**
 * Receives the token with which the identity service sends a browser back.
 * @returns the address of the page that began, with a code
 * @throws `invalid_sign_on` for a form that another page has sent, and for a browser that has not begun,
 * whose token is revoked
 */
export async function receiveSignOn(
  parts: SignOnParts,
  { attempt: sealed, origin, token }: ReturningBrowser,
  call: CallContext,
): Promise<string> {
  const { config, sealedTickets } = parts;
  if (origin !== webSignOnOrigin(config)) throw invalidSignOn();
  const attempt = sealed === undefined ? null : sealedTickets.open('sign-on-attempt', sealed);
  if (attempt === null) {
    await revoke(parts, token, call);
    throw invalidSignOn();
  }
  const { challenge, returnTo } = attempt;
  const returned = { challenge, returnTo, token };
  const code = await sealedTickets.issue('sign-on-code', returned, { ttlSeconds: CODE_SECONDS });
  // Browsers do not send the fragment of an address to any server.
  return `${returnTo}#code=${code}`;
}

interface ReturnedPage {
  code: string;
  /** Only the page that began has it. */
  verifier: string;
  /** The header `Origin`. */
  origin: string | undefined;
}

/** A user who has signed on. */
interface SignedOn {
  identity: Identity;
  username: string;
  domainName: string;
  /** When the token was requested, in milliseconds since the epoch. */
  askedAt: number;
}

/**
 * Gets a token of a project for the page that began. The token that came through the browser is revoked,
 * whether the page gets its token or not: the code is used up.
 * @throws `invalid_sign_on`, `no_project`
 */
export async function completeSignOn(
  parts: SignOnParts,
  { code, origin, verifier }: ReturnedPage,
  call: CallContext,
): Promise<SignedOn> {
  const { clock, openstack, sealedTickets } = parts;
  const returned = await sealedTickets.redeem('sign-on-code', code);
  if (returned === null) throw invalidSignOn();
  try {
    if (origin !== new URL(returned.returnTo).origin || !isVerifierOf(verifier, returned))
      throw invalidSignOn();
    const askedAt = clock.now();
    const unscoped = await validate(openstack, returned.token, call);
    const identity = await inFirstProject(openstack, unscoped, call);
    return { identity, askedAt, username: identity.userName, domainName: identity.userDomainName };
  } finally {
    await revoke(parts, returned.token, call);
  }
}

/** Never throws. */
async function revoke({ logger, openstack }: SignOnParts, token: string, call: CallContext): Promise<void> {
  await openstack.identity.revoke(token, call).catch((error: unknown) => {
    logger.warn('Failed to revoke the token of a single sign-on; it ends by itself', { error });
  });
}

async function validate({ identity }: Openstack, token: string, call: CallContext): Promise<Identity> {
  try {
    return await identity.validate(token, call);
  } catch (error) {
    throw error instanceof UpstreamError && error.status === 401 ? invalidSignOn(error) : error;
  }
}

function isVerifierOf(verifier: string, { challenge }: SignOnAttempt): boolean {
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(verifier).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** The same for all reasons, because whoever tries codes learns nothing from it. */
function invalidSignOn(cause?: unknown): GatewayError {
  const detail = 'The single sign-on is unknown, has been used or has expired. Please begin again.';
  return new GatewayError(401, 'invalid_sign_on', detail, { cause });
}
