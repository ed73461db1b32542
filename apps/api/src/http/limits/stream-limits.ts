import type { HttpConfig } from '@gateway/config';
import { type GatewayError, rateLimited } from '@gateway/core';
import type { GatewayResponse } from '../response/gateway-response.ts';

const RETRY_AFTER_SECONDS = 10;

/**
 * How many event streams are open in this process, in all and per user. A stream counts from before its handler runs, so
 * that a refused request starts no job, until its response closes, for whatever reason.
 */
export class StreamLimits {
  readonly #perUser: number;
  readonly #perProcess: number;
  readonly #ofUsers = new Map<string, number>();
  #total = 0;

  /** 0 is any number. */
  constructor({
    streamsPerUser,
    streamsPerProcess,
  }: Pick<HttpConfig, 'streamsPerUser' | 'streamsPerProcess'>) {
    this.#perUser = streamsPerUser || Number.POSITIVE_INFINITY;
    this.#perProcess = streamsPerProcess || Number.POSITIVE_INFINITY;
  }

  /**
   * Counts a response that is about to become a stream of this user's.
   * @throws 429 when it is one too many
   */
  count(response: GatewayResponse, userId: string): void {
    // Its caller has left already: nothing will close it a second time.
    if (response.destroyed) return;
    const ofUser = this.#ofUsers.get(userId) ?? 0;
    if (ofUser >= this.#perUser)
      throw tooMany('You have too many event streams open. Please close some first.');
    if (this.#total >= this.#perProcess) {
      throw tooMany('Too many event streams are open here. Please wait a moment and try again.');
    }
    this.#total += 1;
    this.#ofUsers.set(userId, ofUser + 1);
    response.once('close', () => this.#release(userId));
  }

  #release(userId: string): void {
    this.#total -= 1;
    const left = (this.#ofUsers.get(userId) ?? 0) - 1;
    if (left > 0) this.#ofUsers.set(userId, left);
    else this.#ofUsers.delete(userId);
  }
}

function tooMany(detail: string): GatewayError {
  return rateLimited(detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
