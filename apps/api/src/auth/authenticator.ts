import { fingerprint, forbidden, GatewayError, invalidInput, unauthorized } from '@gateway/core';
import type { Identity, Openstack } from '@gateway/openstack';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import type { Sessions } from './sessions.ts';
import type { RememberedToken, TokenMemory } from './token-memory.ts';

export interface Credentials {
  token: string | undefined;
  projectId: string | undefined;
}

export interface AuthenticatorOptions {
  openstack: Openstack;
  sessions: Sessions;
  tokens: TokenMemory;
  adminRole: string;
  /** The store could not be used; the identity service alone decided. */
  onStoreAway(error: unknown): void;
}

const LONGEST_TOKEN = 16_384;
const PROJECT_ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;
const KNOWN_SESSIONS = 50_000;

/**
 * Finds out who calls. What is remembered is believed for a short while; otherwise the identity service
 * decides. With the store away every token is checked there, and sessions are not enforced.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  /** A token's session never changes, so knowing it saves a round trip. */
  readonly #sessionOfToken = new LRUCache<string, string>({ max: KNOWN_SESSIONS });

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** `projectRequired` is false where the token's own project will do. */
  async authenticate(
    { token, projectId }: Credentials,
    projectRequired: boolean,
    requestId: string,
  ): Promise<Caller> {
    if (token === undefined || token === '') throw unauthorized('The X-Auth-Token header is missing.');
    if (token.length > LONGEST_TOKEN) throw invalidToken();
    const named = projectId ?? '';
    const tokenHash = fingerprint(token);
    const remembered =
      (await this.#recall(token, tokenHash, named)) ?? (await this.#ask(token, tokenHash, named, requestId));
    if (projectRequired && named === '') {
      throw invalidInput('The X-Project-Id header is missing.', {
        errors: [{ field: 'header.X-Project-Id', message: 'is required' }],
      });
    }
    return this.#toCaller(remembered);
  }

  /** What is remembered, if its session goes on; throws when the session has ended. */
  async #recall(token: string, tokenHash: string, named: string): Promise<RememberedToken | null> {
    const { sessions, tokens, onStoreAway } = this.#options;
    try {
      const knownSession = this.#sessionOfToken.get(tokenHash);
      const [remembered, session] = await Promise.all([
        tokens.recall(token, tokenHash, named),
        knownSession === undefined ? undefined : sessions.read(knownSession),
      ]);
      if (remembered === null) return null;
      sessions.check(session === undefined ? await sessions.read(remembered.sessionId) : session);
      this.#sessionOfToken.set(tokenHash, remembered.sessionId);
      return remembered;
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onStoreAway(error);
      return null;
    }
  }

  async #ask(token: string, tokenHash: string, named: string, requestId: string): Promise<RememberedToken> {
    const { sessions, tokens, onStoreAway } = this.#options;
    const own = await this.#validate(token, requestId);
    let sessionId = '';
    try {
      sessionId = await sessions.ofToken(tokenHash, own.expiresAt);
      sessions.check(await sessions.read(sessionId));
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onStoreAway(error);
    }
    const identity = await this.#scope(own, named, requestId);
    const remembered = { identity, sessionId };
    if (sessionId !== '') await tokens.remember(token, tokenHash, named, remembered).catch(onStoreAway);
    return remembered;
  }

  async #validate(token: string, requestId: string): Promise<Identity> {
    try {
      return await this.#options.openstack.identity.validate(token, { requestId });
    } catch (error) {
      if (error instanceof GatewayError && error.status < 500 && error.status !== 429)
        throw invalidToken(error);
      throw error;
    }
  }

  /** The identity in the project that the request names, if the identity service lets the caller in. */
  async #scope(own: Identity, named: string, requestId: string): Promise<Identity> {
    if (named === '' || named === own.projectId) return own;
    if (!PROJECT_ID.test(named)) {
      throw invalidInput('The X-Project-Id header is not a project id.', {
        errors: [{ field: 'header.X-Project-Id', message: 'must be a project id' }],
      });
    }
    return scopeTo(this.#options.openstack, own.token, named, requestId);
  }

  #toCaller({ identity, sessionId }: RememberedToken): Caller {
    return { identity, sessionId, isAdmin: identity.roles.includes(this.#options.adminRole) };
  }
}

/** A valid token's identity in another project; 403 when the identity service refuses. */
export async function scopeTo(
  openstack: Openstack,
  token: string,
  projectId: string,
  requestId: string,
): Promise<Identity> {
  try {
    return await openstack.identity.rescope(token, projectId, { requestId });
  } catch (error) {
    if (error instanceof GatewayError && error.status < 500 && error.status !== 429) {
      throw forbidden('You have no access to this project.', { cause: error });
    }
    throw error;
  }
}

function invalidToken(cause?: unknown): GatewayError {
  return unauthorized('The token is invalid or has expired.', { cause });
}
