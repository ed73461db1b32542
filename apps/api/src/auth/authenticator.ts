import { type Clock, fingerprint, forbidden, GatewayError, invalidInput, unauthorized } from '@gateway/core';
import type { Identity, Openstack } from '@gateway/openstack';
import { type Caller, isAdministrator } from './caller.ts';
import type { NearTokens } from './in-process-token-cache.ts';
import { isRefusal, type Refusals } from './refusals.ts';
import type { Session, Sessions } from './sessions.ts';
import { SingleFlight } from './single-flight.ts';
import type { Remembered, RememberedToken, TokenMemory } from './token-cache.ts';

export interface Credentials {
  token: string | undefined;
  projectId: string | undefined;
}

/** What else is to be known of a request to find out who sent it. */
export interface Asking {
  /** False where the token's own project will do. */
  projectRequired: boolean;
  requestId: string;
  /** The peer's, by which refusals are counted. */
  address: string;
}

export interface AuthenticatorOptions {
  openstack: Openstack;
  sessions: Sessions;
  tokens: TokenMemory;
  near: NearTokens;
  refusals: Refusals;
  adminRole: string;
  clock: Clock;
  /** The store could not be used; the identity service alone decided. */
  onStoreAway(error: unknown): void;
}

/** The credentials of a request that this process does not know, on their way through the checks. */
interface Unknown extends Omit<Asking, 'projectRequired'> {
  token: string;
  tokenHash: string;
  /** The project that the request names; '' for none. */
  named: string;
  /** Users that are forgotten from here on are not to be remembered by what was found out before. */
  generation: number;
}

type SeenSession = Session & { id: string };

/** What the store knows of a token. */
interface Stored extends Remembered {
  /** Null for a token that was not seen before, and while the store is away. */
  session: SeenSession | null;
}

const LONGEST_TOKEN = 16_384;
const PROJECT_ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;
const NOTHING: Stored = { session: null, own: null, named: null };

/**
 * Finds out who calls. What is remembered is believed for a short while; otherwise the identity service
 * decides, asked once for all who bring the same token at once. With the store away every token is checked there,
 * and sessions are not enforced.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #callers = new SingleFlight<Caller>();
  readonly #validations = new SingleFlight<RememberedToken>();
  readonly #scopings = new SingleFlight<RememberedToken>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** The caller, when this process remembers him by itself: nothing is waited for. */
  known({ token, projectId }: Credentials): Caller | null {
    if (token === undefined || projectId === undefined || projectId === '') return null;
    return this.#options.near.get(token, projectId);
  }

  async authenticate({ token, projectId }: Credentials, asking: Asking): Promise<Caller> {
    if (token === undefined || token === '') throw unauthorized('The X-Auth-Token header is missing.');
    if (token.length > LONGEST_TOKEN) throw invalidToken();
    const named = projectId ?? '';
    const caller = this.#options.near.get(token, named) ?? (await this.#findOnce(token, named, asking));
    if (asking.projectRequired && named === '') {
      throw invalidInput('The X-Project-Id header is missing.', {
        errors: [{ field: 'header.X-Project-Id', message: 'is required' }],
      });
    }
    return caller;
  }

  /**
   * Takes in a token that the identity service has just given out at the gateway's request: its first use asks nothing.
   * @param askedAt when it was asked for, in milliseconds since the epoch.
   * @param sessionId of the token that it was made from, if any.
   */
  async admit(identity: Identity, askedAt: number, sessionId?: string): Promise<string> {
    const { sessions, tokens } = this.#options;
    const tokenHash = fingerprint(identity.token);
    const joined = await sessions.join(identity, tokenHash, sessionId);
    const until = tokens.believedUntil(identity, askedAt);
    await tokens.remember(identity.token, tokenHash, { identity, until });
    return joined;
  }

  /** Drops what is remembered of a user: in this process now, in the others as soon as they hear of it. */
  async forget(userId: string): Promise<void> {
    this.#options.near.forget(userId);
    await this.#options.tokens.forgetUser(userId);
  }

  #findOnce(token: string, named: string, { address, requestId }: Asking): Promise<Caller> {
    const { generation } = this.#options.near;
    const unknown = { token, tokenHash: fingerprint(token), named, generation, address, requestId };
    const key = [generation, address, unknown.tokenHash, named].join(' ');
    return this.#callers.run(key, () => this.#find(unknown));
  }

  async #find(unknown: Unknown): Promise<Caller> {
    const stored = await this.#recall(unknown);
    if (stored.session !== null && stored.named !== null) {
      return this.#keep(unknown, stored.session, stored.named);
    }
    const own = stored.own ?? (await this.#validate(unknown, stored.session !== null));
    const session = stored.session ?? (await this.#join(unknown, own.identity));
    const found = await this.#scope(unknown, own, stored.own !== null);
    if (session !== null) await this.#remember(unknown, stored.own === null ? [own, found] : [found]);
    return this.#keep(unknown, session, found);
  }

  /** In this process, unless the store is away. */
  #keep({ generation, named, token }: Unknown, session: SeenSession | null, found: RememberedToken): Caller {
    const { identity, until } = found;
    const isAdmin = isAdministrator(identity, this.#options);
    const caller = { identity, sessionId: session?.id ?? '', isAdmin };
    if (session !== null) this.#options.near.put(token, named, { caller, session, until }, generation);
    return caller;
  }

  /** What the store remembers of the token; throws when its session has ended. */
  async #recall({ named, token, tokenHash }: Unknown): Promise<Stored> {
    const { onStoreAway, sessions, tokens } = this.#options;
    try {
      const [sessionId, remembered] = await Promise.all([
        sessions.idOfToken(tokenHash),
        tokens.recall(token, tokenHash, named),
      ]);
      if (sessionId === null) return NOTHING;
      const session = sessions.check(await sessions.read(sessionId));
      return { ...remembered, session: { ...session, id: sessionId } };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onStoreAway(error);
      return NOTHING;
    }
  }

  /** The session of a token that was not seen before; null while the store is away. */
  async #join({ tokenHash }: Unknown, own: Identity): Promise<SeenSession | null> {
    const { onStoreAway, sessions } = this.#options;
    try {
      const id = await sessions.join(own, tokenHash);
      return { ...sessions.check(await sessions.read(id)), id };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onStoreAway(error);
      return null;
    }
  }

  async #remember({ generation, token, tokenHash }: Unknown, fresh: RememberedToken[]): Promise<void> {
    const { near, onStoreAway, tokens } = this.#options;
    // A user was forgotten meanwhile, perhaps this one.
    if (near.generation !== generation) return;
    const distinct = new Set(fresh);
    await Promise.all([...distinct].map((found) => tokens.remember(token, tokenHash, found))).catch(
      onStoreAway,
    );
  }

  /** The token's own identity. A token that was never seen to be valid is subject to the limit of its address. */
  #validate(unknown: Unknown, isSeen: boolean): Promise<RememberedToken> {
    const { openstack, refusals } = this.#options;
    const { address, generation, requestId, token, tokenHash } = unknown;
    const question = {
      subject: tokenHash,
      countedAs: `address:${address}`,
      isLimited: !isSeen,
      toError: invalidToken,
    };
    return refusals.guard(question, () =>
      this.#validations.run(`${generation} ${tokenHash}`, () =>
        this.#dated(() => openstack.identity.validate(token, { requestId })),
      ),
    );
  }

  /** The identity in the project that the request names, if the identity service lets the caller in. */
  async #scope(unknown: Unknown, own: RememberedToken, isOwnRemembered: boolean): Promise<RememberedToken> {
    const { openstack, refusals } = this.#options;
    const { generation, named, requestId, token, tokenHash } = unknown;
    if (named === '' || named === own.identity.projectId) return own;
    if (!PROJECT_ID.test(named)) {
      throw invalidInput('The X-Project-Id header is not a project id.', {
        errors: [{ field: 'header.X-Project-Id', message: 'must be a project id' }],
      });
    }
    const question = {
      subject: `${tokenHash} ${named}`,
      countedAs: `user:${own.identity.userId}`,
      isLimited: true,
      toError: (refusal: GatewayError) =>
        refusal.status === 401 ? invalidToken(refusal) : noAccess(refusal),
    };
    const rescope = () => this.#dated(() => openstack.identity.rescope(token, named, { requestId }));
    return refusals.guard(question, async () => {
      try {
        return await this.#scopings.run(`${generation} ${tokenHash} ${named}`, rescope);
      } catch (error) {
        // The service tells an ended token and a project without access alike.
        if (isRefusal(error) && isOwnRemembered) await this.#validate(unknown, true);
        throw error;
      }
    });
  }

  async #dated(ask: () => Promise<Identity>): Promise<RememberedToken> {
    const { clock, tokens } = this.#options;
    const askedAt = clock.now();
    const identity = await ask();
    return { identity, until: tokens.believedUntil(identity, askedAt) };
  }
}

function invalidToken(cause?: unknown): GatewayError {
  return unauthorized('The token is invalid or has expired.', { cause });
}

export function noAccess(cause?: unknown): GatewayError {
  return forbidden('You have no access to this project.', { cause });
}
