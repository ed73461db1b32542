import type { SessionConfig } from '@gateway/config';
import { type Clock, fingerprint, sessionExpired, toTimestamp } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Redis } from '@gateway/redis';

/** A login: when it was made, and when it was last extended. Milliseconds since the epoch. */
export interface Session {
  loginAt: number;
  startedAt: number;
}

export interface SessionInfo {
  remaining_seconds: number;
  timeout_seconds: number;
  warning_before_seconds: number;
  expires_at: string;
}

/** Of a session that was ended before its time. */
const ENDED: Session = { loginAt: 0, startedAt: 0 };

/** Extends a session unless its record has changed since it was read: another extension, or its end. */
const EXTEND_SCRIPT = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
`;

/**
 * Sessions belong to logins. All tokens that were made from the one of the login, here or at the identity service, bear
 * the audit id of that first token, and so belong to its session. An ended session stays on record as long as a token
 * of it could live, so that no token of it can begin a new one.
 *
 * A session and its tokens are keys of different slots, so they can not change at once: what a key refers to is
 * written before it.
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

  /** The session that a token was seen to belong to; null for a token that was never seen to be valid. */
  async idOfToken(tokenHash: string): Promise<string | null> {
    return this.#redis.get(tokenKey(tokenHash));
  }

  /**
   * Lets a valid token into its session, which begins with the first of its tokens. `sessionId` is given where the
   * token was made from one of that session.
   * @returns the id of the session, which may have ended.
   */
  async join(identity: Identity, tokenHash: string, sessionId = idOf(identity, tokenHash)): Promise<string> {
    const now = this.#clock.now();
    const begun: Session = { loginAt: now, startedAt: now };
    const key = sessionKey(sessionId);
    const expiry = Date.parse(identity.expiresAt);
    await this.#redis
      .multi()
      .set(key, JSON.stringify(begun), 'PXAT', expiry, 'NX')
      // Only ever later: the session must outlive the longest of its tokens.
      .pexpireat(key, expiry, 'GT')
      .exec();
    await this.#redis.set(tokenKey(tokenHash), sessionId, 'PXAT', expiry);
    return sessionId;
  }

  async read(sessionId: string): Promise<string | null> {
    return this.#redis.get(sessionKey(sessionId));
  }

  /** Throws `session_expired` unless the session goes on. `record` is what `read` gave. */
  check(record: string | null): Session {
    const session = record === null ? null : (JSON.parse(record) as Session);
    if (session === null || !this.goesOn(session)) {
      throw sessionExpired('The session has ended. Please log in again.');
    }
    return session;
  }

  goesOn(session: Session): boolean {
    return this.#endsAt(session) > this.#clock.now();
  }

  /** Starts the session's time anew; its absolute end stays. */
  async extend(sessionId: string): Promise<Session> {
    const record = await this.read(sessionId);
    const extended: Session = { ...this.check(record), startedAt: this.#clock.now() };
    const changed = [record ?? '', JSON.stringify(extended)];
    const isExtended = await this.#redis.eval(EXTEND_SCRIPT, 1, sessionKey(sessionId), ...changed);
    return isExtended === 1 ? extended : this.check(await this.read(sessionId));
  }

  /** Ends the session before its time, for all of its tokens. */
  async end(sessionId: string): Promise<void> {
    await this.#redis.set(sessionKey(sessionId), JSON.stringify(ENDED), 'KEEPTTL', 'XX');
  }

  info(session: Session, tokenExpiresAt: string): SessionInfo {
    const endsAt = Math.min(this.#endsAt(session), Date.parse(tokenExpiresAt));
    return {
      remaining_seconds: Math.max(0, Math.floor((endsAt - this.#clock.now()) / 1000)),
      timeout_seconds: this.#config.lengthSeconds,
      warning_before_seconds: this.#config.warningSeconds,
      expires_at: toTimestamp(endsAt) ?? '',
    };
  }

  #endsAt({ loginAt, startedAt }: Session): number {
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
