import type { SessionConfig } from '@gateway/config';
import { type Clock, newId, sessionExpired, toTimestamp } from '@gateway/core';
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

/**
 * Sessions belong to logins, and a token to one session: a token that comes of a scope switch shares the
 * session of the token it was made from. An ended session stays on record as long as a token of it could
 * live, so that such a token can not begin a new one.
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

  /** Begins the session of a login with its first token. */
  async begin(tokenHash: string, tokenExpiresAt: string): Promise<string> {
    const sessionId = newId();
    const now = this.#clock.now();
    const expiry = until(tokenExpiresAt);
    await this.#redis.set(
      sessionKey(sessionId),
      JSON.stringify({ loginAt: now, startedAt: now }),
      'PXAT',
      expiry,
    );
    await this.#redis.set(tokenKey(tokenHash), sessionId, 'PXAT', expiry);
    return sessionId;
  }

  /** The session of a token; one that was not issued through the gateway begins its own at first use. */
  async ofToken(tokenHash: string, tokenExpiresAt: string): Promise<string> {
    const known = await this.#redis.get(tokenKey(tokenHash));
    if (known !== null) return known;
    const sessionId = newId();
    const now = this.#clock.now();
    await this.#redis.set(
      sessionKey(sessionId),
      JSON.stringify({ loginAt: now, startedAt: now }),
      'PXAT',
      until(tokenExpiresAt),
    );
    const won = await this.#redis.set(tokenKey(tokenHash), sessionId, 'PXAT', until(tokenExpiresAt), 'NX');
    return won === 'OK' ? sessionId : ((await this.#redis.get(tokenKey(tokenHash))) ?? sessionId);
  }

  /** Lets a further token into a session. */
  async join(sessionId: string, tokenHash: string, tokenExpiresAt: string): Promise<void> {
    const expiry = until(tokenExpiresAt);
    // Only ever later: the session must outlive the longest of its tokens.
    await this.#redis.pexpireat(sessionKey(sessionId), expiry, 'GT');
    await this.#redis.set(tokenKey(tokenHash), sessionId, 'PXAT', expiry);
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
    const session = this.check(await this.read(sessionId));
    const extended = { ...session, startedAt: this.#clock.now() };
    await this.#redis.set(sessionKey(sessionId), JSON.stringify(extended), 'KEEPTTL');
    return extended;
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

function until(expiresAt: string): number {
  return Date.parse(expiresAt);
}
