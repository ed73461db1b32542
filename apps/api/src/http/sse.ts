import { GatewayError } from '@gateway/core';
import type { JobEvent, ProgressRelay } from '@gateway/jobs';
import type { Metrics } from '@gateway/telemetry';
import type { Response } from 'express';
import { writeHead } from './head.ts';

/** What a handler returns to have a job's events streamed to the caller. */
export class JobStream {
  readonly jobId: string;
  /** Number of the last event the caller has seen. */
  readonly afterSeq: number;
  /** That event was the job's last: nothing is to come. */
  readonly isOver: boolean;

  constructor(jobId: string, afterSeq = 0, isOver = false) {
    this.jobId = jobId;
    this.afterSeq = afterSeq;
    this.isOver = isOver;
  }
}

/**
 * A reader that has this much unread at two heartbeats in a row is let go; it can come back for the rest. One
 * that is given a long past at once gets the time in between to take it.
 */
const MOST_UNREAD_BYTES = 256 * 1024;
const RECONNECT_MS = 2_000;
/** No proxy may change, hold back or keep what is streamed. */
const STREAM_FIELDS = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-cache, no-transform',
  'X-Accel-Buffering',
  'no',
];
const FAREWELL = ': the server is shutting down, please reconnect\n\n';

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
  readonly #behind = new WeakSet<Response>();
  #closing = false;
  #heartbeat: NodeJS.Timeout | null = null;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  send(response: Response, { jobId, afterSeq, isOver }: JobStream): void {
    writeHead(response, 200, [...STREAM_FIELDS, 'X-Job-Id', jobId]);
    if (isOver || response.req.method === 'HEAD') {
      response.end();
      return;
    }
    response.write(`retry: ${RECONNECT_MS}\n\n`);
    if (this.#closing) {
      response.end(FAREWELL);
      return;
    }
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
    this.#closing = true;
    for (const response of this.#open) response.end(FAREWELL);
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
  }

  #write(response: Response, event: JobEvent): void {
    response.write(`id: ${event.seq}\ndata: ${event.data}\n\n`);
    if (event.last) response.end();
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
      if (response.writableLength <= MOST_UNREAD_BYTES) {
        this.#behind.delete(response);
        response.write(': keep-alive\n\n');
      } else if (this.#behind.has(response)) {
        response.destroy();
      } else {
        this.#behind.add(response);
      }
    }
  }
}
