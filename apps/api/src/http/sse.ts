import { GatewayError } from '@gateway/core';
import type { JobEvent, ProgressRelay } from '@gateway/jobs';
import type { Metrics } from '@gateway/telemetry';
import type { Response } from 'express';

/** What a handler returns to have a job's events streamed to the caller. */
export class JobStream {
  readonly jobId: string;
  /** Number of the last event the caller has seen. */
  readonly afterSeq: number;

  constructor(jobId: string, afterSeq = 0) {
    this.jobId = jobId;
    this.afterSeq = afterSeq;
  }
}

/** A reader that has not taken this much is let go; it can come back for the rest. */
const MOST_UNREAD_BYTES = 256 * 1024;
const RECONNECT_MS = 2_000;

export interface EventStreamsOptions {
  relay: ProgressRelay;
  metrics: Metrics;
  heartbeatMs: number;
}

/**
 * The open event streams of this process. A client that goes away ends its stream and nothing else: the job
 * goes on. All streams share one heartbeat.
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #open = new Set<Response>();
  #heartbeat: NodeJS.Timeout | null = null;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  send(response: Response, { jobId, afterSeq }: JobStream): void {
    response.statusCode = 200;
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    response.setHeader('Cache-Control', 'no-cache, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    response.setHeader('X-Job-Id', jobId);
    response.write(`retry: ${RECONNECT_MS}\n\n`);
    this.#add(response);

    const unsubscribe = this.#options.relay.subscribe(jobId, afterSeq, {
      onEvent: (event) => this.#write(response, event),
      onError: (error) => response.destroy(error instanceof GatewayError ? error : undefined),
    });
    response.once('close', () => {
      unsubscribe();
      this.#remove(response);
    });
  }

  /** Ends all streams without a last event: their clients come back, to another process. */
  close(): void {
    for (const response of this.#open) response.end(': the server is shutting down, please reconnect\n\n');
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
  }

  #write(response: Response, event: JobEvent): void {
    response.write(`id: ${event.seq}\ndata: ${event.data}\n\n`);
    if (event.last) response.end();
    else this.#dropIfSlow(response);
  }

  #dropIfSlow(response: Response): void {
    if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
  }

  #add(response: Response): void {
    this.#open.add(response);
    this.#options.metrics.streamOpened();
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#options.heartbeatMs).unref();
  }

  #remove(response: Response): void {
    if (this.#open.delete(response)) this.#options.metrics.streamClosed();
  }

  #beat(): void {
    for (const response of this.#open) {
      response.write(': keep-alive\n\n');
      this.#dropIfSlow(response);
    }
  }
}
