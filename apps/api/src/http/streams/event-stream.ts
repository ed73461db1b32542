import type { JobEvent, Subscription } from '@gateway/jobs';
import type { GatewayResponse } from '../response/gateway-response.ts';

/**
 * A stream whose client has read nothing for this many heartbeats is closed. The client can reconnect and
 * continue.
 */
const MAX_STALLED_HEARTBEATS = 2;
const SHUTDOWN_COMMENT = ': the server is shutting down, please reconnect\n\n';

/**
 * One open stream with backpressure. While the connection's buffer is full, the subscription is paused;
 * afterwards it continues from the log. A slow client therefore uses no more memory than the connection's
 * buffer. See decision 2.
 */
export class EventStream {
  readonly #response: GatewayResponse;
  #subscription: Subscription | null = null;
  #isBufferFull = false;
  #stalledHeartbeats = 0;
  #onHeartbeat = (): string => '';

  constructor(response: GatewayResponse) {
    this.#response = response;
    response.on('drain', () => {
      this.#isBufferFull = false;
      this.#stalledHeartbeats = 0;
      this.#subscription?.resume();
    });
  }

  /** Sends the time that the client should wait before it reconnects. Call it before the first event. */
  open(reconnectMs: number): void {
    this.#write(`retry: ${reconnectMs}\n\n`);
  }

  /** Connects the stream to the source of its events. */
  attach(subscription: Subscription): void {
    this.#subscription = subscription;
    if (this.#isBufferFull) subscription.pause();
    this.#response.once('close', () => subscription.close());
  }

  send({ seq, data, last }: JobEvent): void {
    this.#write(`id: ${seq}\ndata: ${data}\n\n`);
    if (last) this.#response.end();
  }

  /** Sends the text of an event, with its empty line. */
  sendText(text: string): void {
    this.#write(text);
  }

  /** Calls `onHeartbeat` before each heartbeat, which contains the line that it returns, if any. */
  withHeartbeats(onHeartbeat: () => string): void {
    this.#onHeartbeat = onHeartbeat;
  }

  /** Disconnects the client, who may connect again. */
  end(comment: string): void {
    this.#end(`: ${comment}\n\n`);
  }

  /**
   * Sends a comment, so that no proxy closes the stream as idle. Closes the stream if its client has stopped
   * reading.
   */
  sendHeartbeat(): void {
    if (this.#isBufferFull || this.#response.writableEnded) {
      this.#stalledHeartbeats += 1;
      if (this.#stalledHeartbeats >= MAX_STALLED_HEARTBEATS) this.#response.destroy();
    } else {
      this.#write(`: keep-alive\n${this.#onHeartbeat()}\n`);
    }
  }

  /**
   * Ends the stream before its last event, so that the client reconnects to another process. Does not wait
   * for a slow client.
   */
  closeForShutdown(): void {
    if (this.#response.writableEnded) return;
    if (this.#isBufferFull) this.#response.destroy();
    else this.#end(SHUTDOWN_COMMENT);
  }

  /** Until the client has read the rest, the response is open, but a further write would be an error. */
  #end(text: string): void {
    if (this.#response.writableEnded) return;
    this.#subscription?.close();
    this.#response.end(text);
  }

  #write(text: string): void {
    // Events that were already on their way. Nobody could catch the error of the response.
    if (this.#response.writableEnded || this.#response.write(text)) return;
    this.#isBufferFull = true;
    this.#subscription?.pause();
  }
}
