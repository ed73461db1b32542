import type { Clock } from '@gateway/core';
import type { SingleRedis } from '@gateway/redis';
import type { Caller } from './caller.ts';
import type { Session, Sessions } from './sessions.ts';

/** A caller as this process remembers him. */
export interface NearToken {
  caller: Caller;
  session: Session;
  /** Until when the token is believed, in milliseconds since the epoch. */
  until: number;
}

export interface NearTokensParts {
  subscriber: SingleRedis;
  /** Where the ids of users to be forgotten are published. */
  channel: string;
  sessions: Sessions;
  clock: Clock;
  /** A user was forgotten: what this process has found out about access may no longer hold. */
  onForget(): void;
}

const MOST_TOKENS = 20_000;

/**
 * What this process remembers by itself, so that a caller who was just here costs no read of the store. Every
 * process hears when a user is to be forgotten; one that can not hear remembers nothing.
 */
export class NearTokens {
  /** By token, then by the project that the request named. */
  readonly #tokens = new Map<string, Map<string, NearToken>>();
  readonly #sessions: Sessions;
  readonly #clock: Clock;
  readonly #onForget: () => void;
  #hears = false;
  #generation = 0;

  constructor({ subscriber, channel, sessions, clock, onForget }: NearTokensParts) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#onForget = onForget;
    subscriber.on('message', (_channel: string, userId: string) => this.forget(userId));
    subscriber.on('close', () => {
      this.#hears = false;
      this.forget(null);
    });
    subscriber.on('ready', () => {
      // The client subscribes again by itself; what is asked here is only when it has.
      void subscriber.subscribe(channel).then(
        () => {
          this.#hears = true;
        },
        () => {},
      );
    });
  }

  get(token: string, projectId: string): Caller | null {
    const near = this.#tokens.get(token)?.get(projectId);
    if (near === undefined || near.until <= this.#clock.now()) return null;
    // Another process may have extended the session: only the store can tell that it has ended.
    return this.#sessions.goesOn(near.session) ? near.caller : null;
  }

  /** To be taken before the store is read, and given with what was read: a user may be forgotten in between. */
  get generation(): number {
    return this.#generation;
  }

  put(token: string, projectId: string, near: NearToken, generation: number): void {
    if (!this.#hears || generation !== this.#generation) return;
    const ofToken = this.#tokens.get(token) ?? new Map<string, NearToken>();
    ofToken.set(projectId, near);
    this.#tokens.set(token, ofToken);
    if (this.#tokens.size > MOST_TOKENS) this.#forgetOldest();
  }

  /** A map keeps its keys in the order they came in, and none is believed for long. */
  #forgetOldest(): void {
    const [oldest] = this.#tokens.keys();
    if (oldest !== undefined) this.#tokens.delete(oldest);
  }

  /** Forgets a user, or everybody when it can not be known who is to be forgotten. */
  forget(userId: string | null): void {
    this.#generation += 1;
    for (const [token, ofToken] of this.#tokens) {
      const [first] = ofToken.values();
      if (userId === null || first?.caller.identity.userId === userId) this.#tokens.delete(token);
    }
    this.#onForget();
  }
}
