import type { JobEvent, Subscription } from '@gateway/jobs';
import type { GatewayResponse } from '../response/gateway-response.ts';

/** A reader that has not taken what was sent for this many heartbeats is let go; it can come back for the rest. */
const STALLED_BEATS = 2;
const FAREWELL = ': the server is shutting down, please reconnect\n\n';

/**
 * One open stream. It takes events as fast as its reader does: while the connection is full it takes none, and
 * afterwards it goes on from the log. So a slow reader costs no more memory than a connection holds.
 */
export class EventStream {
  readonly #response: GatewayResponse;
  #subscription: Subscription | null = null;
  #isFull = false;
  #stalledBeats = 0;

  constructor(response: GatewayResponse) {
    this.#response = response;
    response.on('drain', () => {
      this.#isFull = false;
      this.#stalledBeats = 0;
      this.#subscription?.resume();
    });
  }

  /** Before the first event: how soon to come back when the stream breaks. */
  open(reconnectMs: number): void {
    this.#write(`retry: ${reconnectMs}\n\n`);
  }

  /** Where its events come from. */
  follow(subscription: Subscription): void {
    this.#subscription = subscription;
    if (this.#isFull) subscription.pause();
    this.#response.once('close', () => subscription.close());
  }

  send({ seq, data, last }: JobEvent): void {
    this.#write(`id: ${seq}\ndata: ${data}\n\n`);
    if (last) this.#response.end();
  }

  /** Says something, so that nobody on the way takes the stream for dead; ends one that is not read. */
  beat(): void {
    if (this.#isFull || this.#response.writableEnded) {
      this.#stalledBeats += 1;
      if (this.#stalledBeats >= STALLED_BEATS) this.#response.destroy();
    } else {
      this.#write(': keep-alive\n\n');
    }
  }

  /** Ends it without a last event: its reader comes back, to another process. One that is behind is not waited for. */
  dismiss(): void {
    if (this.#response.writableEnded) return;
    if (this.#isFull) this.#response.destroy();
    else this.#response.end(FAREWELL);
  }

  #write(text: string): void {
    if (this.#response.write(text)) return;
    this.#isFull = true;
    this.#subscription?.pause();
  }
}
