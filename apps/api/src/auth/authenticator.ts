import { type RightsConfig, rightsOf } from '@gateway/context';
import {
  type Clock,
  fingerprint,
  forbidden,
  GatewayError,
  invalidInput,
  RESOURCE_ID,
  SingleFlight,
  unauthorized,
} from '@gateway/core';
import { type Identity, type Openstack, UpstreamError } from '@gateway/openstack';
import type { Caller } from './caller.ts';
import type { InProcessTokenCache } from './in-process-token-cache.ts';
import { isLoginRefusal, type Refusals } from './refusals.ts';
import type { SessionList } from './session-list.ts';
import type { Session, SessionOptions, Sessions } from './sessions.ts';
import type { CachedTokens, TokenCache, ValidatedToken } from './token-cache.ts';

export interface Credentials {
  token: string | undefined;
  projectId: string | undefined;
}

/** What authentication needs of a request besides its credentials. */
interface AuthenticationOptions {
  /** False if the token's own project is enough. */
  projectRequired: boolean;
  requestId: string;
  /** The address or network for which refused tokens are counted. Called for unknown tokens only. */
  address(): string;
  clientAddress?: string;
  /** What the client calls itself (`User-Agent`). */
  client?: string;
}

interface AuthenticatorOptions {
  openstack: Openstack;
  sessions: Sessions;
  sessionList: SessionList;
  tokenCache: TokenCache;
  inProcessCache: InProcessTokenCache;
  refusals: Refusals;
  rights: RightsConfig;
  clock: Clock;
  /** Called when the store is unavailable and the identity service alone has decided. */
  onStoreUnavailable(error: unknown): void;
}

/** The state of a check of credentials that are not in the in-process cache. */
interface TokenCheck extends Omit<AuthenticationOptions, 'projectRequired' | 'address'> {
  token: string;
  tokenHash: string;
  /** The project that the request names; '' for none. */
  projectId: string;
  address: string;
  /**
   * The generation of the in-process cache. If it has changed by the end of the check, the result is not
   * cached.
   */
  generation: number;
}

type IdentifiedSession = Session & { id: string };

/** What the store holds for a token. */
interface StoredState extends CachedTokens {
  /** Null for a token that was not used before, and while the store is unavailable. */
  session: IdentifiedSession | null;
}

const MAX_TOKEN_LENGTH = 16_384;
const NOTHING_STORED: StoredState = { session: null, own: null, named: null };

/**
 * Authenticates callers. Reads the in-process cache, then the token cache in the store. Then it asks the
 * identity service, once for all concurrent requests with the same token. While the store is unavailable, the
 * identity service checks every token and sessions are not enforced.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #callers = new SingleFlight<Caller>();
  readonly #validations = new SingleFlight<ValidatedToken>();
  readonly #scopings = new SingleFlight<ValidatedToken>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * @throws 400 for a missing or malformed project id, 401 for the token, 403 for the project, 429, 502, 503,
   * 504
   */
  async authenticate(
    { token, projectId = '' }: Credentials,
    options: AuthenticationOptions,
  ): Promise<Caller> {
    if (token === undefined || token === '') throw unauthorized('The X-Auth-Token header is missing.');
    if (token.length > MAX_TOKEN_LENGTH) throw invalidToken();
    const cached = this.#options.inProcessCache.get(token, projectId);
    const caller = cached ?? (await this.#checkOnce(token, projectId, options));
    if (options.projectRequired && projectId === '') {
      throw invalidInput('The X-Project-Id header is missing.', {
        errors: [{ field: 'header.X-Project-Id', message: 'is required' }],
      });
    }
    return caller;
  }

  /**
   * Registers a token that the identity service has just issued to the gateway. Its first use needs no
   * validation.
   * @param requestedAt when the token was requested, in milliseconds since the epoch.
   * @param options the session of the token that this token was made from, if any
   * @returns the id of the token's session.
   */
  async register(identity: Identity, requestedAt: number, options?: SessionOptions): Promise<string> {
    const { sessions, tokenCache } = this.#options;
    const tokenHash = fingerprint(identity.token);
    const joined = await sessions.join(identity, tokenHash, options);
    const validUntil = tokenCache.validUntil(identity, requestedAt);
    await tokenCache.put(identity.token, tokenHash, { identity, validUntil });
    return joined;
  }

  /** Removes the users' tokens from all caches: from this process at once, from the others shortly after. */
  async invalidateUsers(userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    this.#options.inProcessCache.invalidateUsers(userIds);
    await this.#options.tokenCache.invalidateUsers(userIds);
  }

  #checkOnce(token: string, projectId: string, options: AuthenticationOptions): Promise<Caller> {
    const { client, clientAddress, requestId } = options;
    const address = options.address();
    const { generation } = this.#options.inProcessCache;
    const check = {
      token,
      tokenHash: fingerprint(token),
      projectId,
      generation,
      address,
      client,
      clientAddress,
      requestId,
    };
    const key = [generation, address, check.tokenHash, projectId].join(' ');
    return this.#callers.run(key, () => this.#check(check));
  }

  async #check(check: TokenCheck): Promise<Caller> {
    const found = await this.#readStore(check);
    if (found === null) {
      const known = this.#options.inProcessCache.getWithoutStore(check.token, check.projectId);
      if (known !== null) return known;
    }
    const stored = found ?? NOTHING_STORED;
    if (stored.session !== null && stored.named !== null) {
      return this.#toCaller(check, stored.session, stored.named);
    }
    const own = stored.own ?? (await this.#validate(check, stored.session !== null));
    const session = stored.session ?? (await this.#joinSession(check, own.identity));
    const scoped = await this.#scope(check, own, stored.own !== null);
    if (session !== null) await this.#writeStore(check, stored.own === null ? [own, scoped] : [scoped]);
    return this.#toCaller(check, session, scoped);
  }

  /** Also adds the caller to the in-process cache, and records the use of the session. */
  #toCaller(check: TokenCheck, session: IdentifiedSession | null, validated: ValidatedToken): Caller {
    const { client = '', clientAddress = '', generation, projectId, token } = check;
    const { identity, validUntil } = validated;
    if (session !== null) {
      this.#options.sessionList.see(identity.userId, session.id, { address: clientAddress, client });
    }
    const can = rightsOf(identity, this.#options.rights);
    const caller = { identity, sessionId: session?.id ?? '', can };
    this.#options.inProcessCache.put(token, projectId, { caller, session, validUntil }, generation);
    return caller;
  }

  /** Null while the store is unavailable. @throws `session_expired` when the token's session has ended */
  async #readStore({ projectId, token, tokenHash }: TokenCheck): Promise<StoredState | null> {
    const { onStoreUnavailable, sessions, tokenCache } = this.#options;
    try {
      const [sessionId, cached] = await Promise.all([
        sessions.idOfToken(tokenHash),
        tokenCache.get(token, tokenHash, projectId),
      ]);
      if (sessionId === null) return NOTHING_STORED;
      const session = sessions.check(await sessions.read(sessionId));
      return { ...cached, session: { ...session, id: sessionId } };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onStoreUnavailable(error);
      return null;
    }
  }

  /** The session of a token at its first use; null while the store is unavailable. */
  async #joinSession({ tokenHash }: TokenCheck, own: Identity): Promise<IdentifiedSession | null> {
    const { onStoreUnavailable, sessions } = this.#options;
    try {
      const id = await sessions.join(own, tokenHash);
      return { ...sessions.check(await sessions.read(id)), id };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onStoreUnavailable(error);
      return null;
    }
  }

  async #writeStore({ generation, token, tokenHash }: TokenCheck, fresh: ValidatedToken[]): Promise<void> {
    const { inProcessCache, onStoreUnavailable, tokenCache } = this.#options;
    // A user was invalidated meanwhile, perhaps this user.
    if (inProcessCache.generation !== generation) return;
    const distinct = [...new Set(fresh)];
    await Promise.all(distinct.map((validated) => tokenCache.put(token, tokenHash, validated))).catch(
      onStoreUnavailable,
    );
  }

  /**
   * Validates the token itself. The limit of the client's address applies to tokens that were never valid
   * before.
   */
  #validate(check: TokenCheck, wasValid: boolean): Promise<ValidatedToken> {
    const { inProcessCache, openstack, refusals } = this.#options;
    const { address, clientAddress, generation, requestId, token, tokenHash } = check;
    const guarded = {
      subject: tokenHash,
      limitKey: `address:${address}`,
      isLimited: !wasValid && !inProcessCache.wasValid(token),
      // The service does not say why it refuses a token. For its own refusals, the gateway does.
      toError: (refusal: GatewayError) =>
        refusal instanceof UpstreamError ? invalidToken(refusal) : refusal,
    };
    // A request never shares the check of another address, which may be beyond its limit.
    const key = [generation, guarded.isLimited ? address : '', tokenHash].join(' ');
    return refusals.guard(guarded, (beforeSend) =>
      this.#validations.run(key, () =>
        this.#withExpiry(() => openstack.identity.validate(token, { clientAddress, requestId, beforeSend })),
      ),
    );
  }

  /** The identity in the project that the request names, if the caller has access to the project. */
  async #scope(check: TokenCheck, own: ValidatedToken, isOwnCached: boolean): Promise<ValidatedToken> {
    const { openstack, refusals } = this.#options;
    const { clientAddress, generation, projectId, requestId, token, tokenHash } = check;
    if (projectId === '' || projectId === own.identity.projectId) return own;
    if (!RESOURCE_ID.test(projectId)) {
      throw invalidInput('The X-Project-Id header is not a project id.', {
        errors: [{ field: 'header.X-Project-Id', message: 'must be a project id' }],
      });
    }
    const guarded = {
      subject: `${tokenHash} ${projectId}`,
      limitKey: `user:${own.identity.userId}`,
      isLimited: true,
      toError: (refusal: GatewayError) =>
        refusal.status === 401 ? invalidToken(refusal) : noAccess(refusal),
    };
    return refusals.guard(guarded, async (beforeSend) => {
      try {
        return await this.#scopings.run(`${generation} ${tokenHash} ${projectId}`, () =>
          this.#withExpiry(() =>
            openstack.identity.rescope(token, projectId, { clientAddress, requestId, beforeSend }),
          ),
        );
      } catch (error) {
        // The service gives the same answer for an expired token and for a project without access.
        if (isLoginRefusal(error) && isOwnCached) await this.#validate(check, true);
        throw error;
      }
    });
  }

  async #withExpiry(request: () => Promise<Identity>): Promise<ValidatedToken> {
    const { clock, tokenCache } = this.#options;
    const requestedAt = clock.now();
    const identity = await request();
    return { identity, validUntil: tokenCache.validUntil(identity, requestedAt) };
  }
}

function invalidToken(cause?: unknown): GatewayError {
  return unauthorized('The token is invalid or has expired.', { cause });
}

export function noAccess(cause?: unknown): GatewayError {
  const isOfOtherScope = cause instanceof UpstreamError && cause.upstreamStatus === 403;
  return forbidden(isOfOtherScope ? cause.message : 'You have no access to this project.', { cause });
}
