import { type GatewayError, rateLimited } from '@gateway/core';
import type { HttpConfig } from '@gateway/platform';
import type { GatewayResponse } from '../response/gateway-response.ts';

const RETRY_AFTER_SECONDS = 10;

type Limits = Pick<HttpConfig, 'streamsPerUser' | 'streamsPerProcess'>;

/**
 * Limits the open event streams of this process, in total and per user. A stream counts before its handler
 * runs, so that a refused request starts no job. It stops counting when its response closes.
 */
export class StreamLimits {
  readonly #limits: Limits;
  readonly #countByUser = new Map<string, number>();
  #total = 0;

  /** A limit of 0 allows any number. The limits are read each time, because they can change. */
  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Counts a response that is about to become a stream of the user.
   * @throws 429 beyond a limit
   */
  count(response: GatewayResponse, userId: string): void {
    // The client has disconnected already, so no `close` event would end the count.
    if (response.destroyed) return;
    const count = this.#countByUser.get(userId) ?? 0;
    const { streamsPerProcess, streamsPerUser } = this.#limits;
    if (count >= (streamsPerUser || Number.POSITIVE_INFINITY))
      throw tooManyStreams('You have too many event streams open. Please close some first.');
    if (this.#total >= (streamsPerProcess || Number.POSITIVE_INFINITY)) {
      throw tooManyStreams(
        'Too many event streams are open in this process. Please wait a moment and try again.',
      );
    }
    this.#total += 1;
    this.#countByUser.set(userId, count + 1);
    response.once('close', () => this.#release(userId));
  }

  #release(userId: string): void {
    this.#total -= 1;
    const left = (this.#countByUser.get(userId) ?? 0) - 1;
    if (left > 0) this.#countByUser.set(userId, left);
    else this.#countByUser.delete(userId);
  }
}

function tooManyStreams(detail: string): GatewayError {
  return rateLimited(detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
