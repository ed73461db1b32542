import {
  type Clock,
  fingerprint,
  formatStored,
  parseStored,
  sessionExpired,
  storedForms,
  toTimestamp,
} from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { SessionConfig } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import { extendSessionScript } from './scripts.ts';
import type { SessionInfo } from './session-info-shape.ts';

/** When the user logged in, and when the session was last extended. Milliseconds since the epoch. */
export interface Session {
  loginAt: number;
  startedAt: number;
  /** Present if the session lasts as long as its token, whatever its age, and is never extended. */
  endsAt?: number;
}

export interface SessionOptions {
  sessionId?: string;
  endsWithToken?: boolean;
}

/** The record of a session that was ended by a log-out. */
const ENDED: Session = { loginAt: 0, startedAt: 0 };

/**
 * The sessions of users. A log-in starts a session. Tokens that are derived from the log-in's token, by the
 * gateway or by the identity service, belong to the same session, because each of them carries the audit id
 * of the first token.
 *
 * The record of an ended session is kept for as long as one of its tokens may be valid. Otherwise such a
 * token would start a new session.
 *
 * A session and its tokens have keys in different slots of a Redis Cluster, so one transaction cannot change
 * both. The session is written first, and the tokens that refer to it after that.
 */
export class Sessions {
  readonly #redis: Redis;
  readonly #config: SessionConfig;
  readonly #clock: Clock;

  constructor(redis: Redis, config: SessionConfig, clock: Clock) {
    this.#redis = redis;
    this.#config = config;
    this.#clock = clock;
  }

  /** The id of the token's session; null for a token that was not used before. */
  async idOfToken(tokenHash: string): Promise<string | null> {
    return this.#redis.get(tokenKey(tokenHash));
  }

  /**
   * Adds a valid token to its session. The first token of a log-in starts the session. Pass `sessionId` if
   * the token was made from another token of that session, and `endsWithToken` for a session that is not
   * limited otherwise.
   * @returns the id of the session, which may have ended.
   */
  async join(
    identity: Identity,
    tokenHash: string,
    { sessionId = idOf(identity, tokenHash), endsWithToken = false }: SessionOptions = {},
  ): Promise<string> {
    const now = this.#clock.now();
    const expiry = Date.parse(identity.expiresAt);
    const started: Session = { loginAt: now, startedAt: now, ...(endsWithToken && { endsAt: expiry }) };
    const key = sessionKey(sessionId);
    await this.#redis
      .multi()
      .set(key, formatStored(storedForms.session, started), 'PXAT', expiry, 'NX')
      // `GT` never shortens the expiry: the session must outlive all of its tokens.
      .pexpireat(key, expiry, 'GT')
      .exec();
    await this.#redis.set(tokenKey(tokenHash), sessionId, 'PXAT', expiry);
    return sessionId;
  }

  async read(sessionId: string): Promise<string | null> {
    return this.#redis.get(sessionKey(sessionId));
  }

  /** Parses the result of `read`. Null for a session that is unknown. */
  parse(record: string | null): Session | null {
    return record === null ? null : parseStored<Session>(storedForms.session, record);
  }

  /** The same. @throws `session_expired` unless the session is active */
  check(record: string | null): Session {
    const session = this.parse(record);
    if (session === null || !this.isActive(session)) {
      throw sessionExpired('The session has ended. Please log in again.');
    }
    return session;
  }

  isActive(session: Session): boolean {
    return this.#endsAt(session) > this.#clock.now();
  }

  /** Restarts the session's time. Its absolute end and its token's stay. @throws `session_expired` */
  async extend(sessionId: string): Promise<Session> {
    const record = await this.read(sessionId);
    const extended: Session = { ...this.check(record), startedAt: this.#clock.now() };
    const keys = { session: sessionKey(sessionId) };
    const change = { read: record ?? '', extended: formatStored(storedForms.session, extended) };
    const isExtended = await extendSessionScript.run(this.#redis, keys, change);
    return isExtended === 1 ? extended : this.check(await this.read(sessionId));
  }

  /** Ends the session for all of its tokens. */
  async end(sessionId: string): Promise<void> {
    await this.#redis.set(sessionKey(sessionId), formatStored(storedForms.session, ENDED), 'KEEPTTL', 'XX');
  }

  info(session: Session, tokenExpiresAt: string): SessionInfo {
    const endsAt = Math.min(this.#endsAt(session), Date.parse(tokenExpiresAt));
    return {
      remaining_seconds: Math.max(0, Math.floor((endsAt - this.#clock.now()) / 1000)),
      timeout_seconds: this.#config.lengthSeconds,
      warning_before_seconds: this.#config.warningSeconds,
      expires_at: toTimestamp(endsAt) ?? '',
      extendable: session.endsAt === undefined,
    };
  }

  #endsAt({ endsAt, loginAt, startedAt }: Session): number {
    if (endsAt !== undefined) return endsAt;
    return Math.min(
      startedAt + this.#config.lengthSeconds * 1000,
      loginAt + this.#config.absoluteSeconds * 1000,
    );
  }
}

function sessionKey(sessionId: string): string {
  return `session:${sessionId}`;
}

function tokenKey(tokenHash: string): string {
  return `session-of:${tokenHash}`;
}

function idOf({ chainId }: Identity, tokenHash: string): string {
  return fingerprint(chainId === '' ? tokenHash : chainId);
}
