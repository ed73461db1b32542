import { fingerprint, forbidden, GatewayError, invalidInput, unauthorized } from '@gateway/core';
import type { Identity, Openstack } from '@gateway/openstack';
import type { Caller } from './caller.ts';
import type { NearTokens } from './near-tokens.ts';
import type { Session, Sessions } from './sessions.ts';
import type { RememberedToken, TokenMemory } from './token-memory.ts';

export interface Credentials {
  token: string | undefined;
  projectId: string | undefined;
}

export interface AuthenticatorOptions {
  openstack: Openstack;
  sessions: Sessions;
  tokens: TokenMemory;
  near: NearTokens;
  adminRole: string;
  /** The store could not be used; the identity service alone decided. */
  onStoreAway(error: unknown): void;
}

const LONGEST_TOKEN = 16_384;
const PROJECT_ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;

/**
 * Finds out who calls. What is remembered is believed for a short while; otherwise the identity service
 * decides. With the store away every token is checked there, and sessions are not enforced.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** The caller, when this process remembers him by itself: nothing is waited for. */
  known({ token, projectId }: Credentials): Caller | null {
    if (token === undefined || projectId === undefined) return null;
    return this.#options.near.get(token, projectId);
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
    const caller =
      this.#options.near.get(token, named) ??
      (await this.#recall(token, named)) ??
      (await this.#ask(token, named, requestId));
    if (projectRequired && named === '') {
      throw invalidInput('The X-Project-Id header is missing.', {
        errors: [{ field: 'header.X-Project-Id', message: 'is required' }],
      });
    }
    return caller;
  }

  /** What the store remembers, if its session goes on; throws when the session has ended. */
  async #recall(token: string, named: string): Promise<Caller | null> {
    const { near, onStoreAway, sessions, tokens } = this.#options;
    const { generation } = near;
    try {
      const remembered = await tokens.recall(token, fingerprint(token), named);
      if (remembered === null) return null;
      const session = sessions.check(await sessions.read(remembered.sessionId));
      const caller = this.#toCaller(remembered);
      near.put(token, named, { caller, session, until: remembered.until }, generation);
      return caller;
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onStoreAway(error);
      return null;
    }
  }

  async #ask(token: string, named: string, requestId: string): Promise<Caller> {
    const { near, onStoreAway, sessions, tokens } = this.#options;
    const { generation } = near;
    const tokenHash = fingerprint(token);
    const own = await this.#validate(token, requestId);
    let known: { sessionId: string; session: Session } | null = null;
    try {
      const sessionId = await sessions.ofToken(tokenHash, own.expiresAt);
      known = { sessionId, session: sessions.check(await sessions.read(sessionId)) };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onStoreAway(error);
    }
    const identity = await this.#scope(own, named, requestId);
    const caller = this.#toCaller({ identity, sessionId: known?.sessionId ?? '' });
    if (known !== null) {
      const { session, sessionId } = known;
      near.put(token, named, { caller, session, until: tokens.believedUntil(identity) }, generation);
      await tokens.remember(token, tokenHash, named, { identity, sessionId }).catch(onStoreAway);
    }
    return caller;
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

  #toCaller({ identity, sessionId }: Pick<RememberedToken, 'identity' | 'sessionId'>): Caller {
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
