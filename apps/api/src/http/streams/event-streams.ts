import type { ProgressRelay } from '@gateway/jobs';
import type { Metrics } from '@gateway/telemetry';
import type { GatewayResponse } from '../response/gateway-response.ts';
import { writeHeaders } from '../response/headers.ts';
import { EventStream } from './event-stream.ts';

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

const RECONNECT_MS = 2_000;
/** Heartbeats go to one share of the streams after the other: to all at once they would hold up the events. */
const BEAT_SHARES = 128;
/** No proxy may change, hold back or keep what is streamed. */
const STREAM_FIELDS = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-cache, no-transform',
  'X-Accel-Buffering',
  'no',
];

export interface EventStreamsOptions {
  relay: Pick<ProgressRelay, 'subscribe'>;
  metrics: Pick<Metrics, 'streamOpened' | 'streamClosed'>;
  /** How often each stream gets a comment, so that nobody on the way takes it for dead. */
  heartbeatMs: number;
}

/**
 * The open event streams of this process. A client that goes away ends its stream and nothing else: the job
 * goes on.
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #shares = Array.from({ length: BEAT_SHARES }, () => new Set<EventStream>());
  #nextShare = 0;
  #nextBeat = 0;
  #closing = false;
  #heartbeat: NodeJS.Timeout | null = null;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  send(response: GatewayResponse, { jobId, afterSeq, isOver }: JobStream): void {
    // Its caller has left while the answer was being made: nothing would ever end this stream.
    if (response.destroyed) return;
    writeHeaders(response, 200, [...STREAM_FIELDS, 'X-Job-Id', jobId]);
    if (isOver || response.req.method === 'HEAD') {
      response.end();
      return;
    }
    const stream = new EventStream(response);
    stream.open(RECONNECT_MS);
    if (this.#closing) {
      stream.dismiss();
      return;
    }
    this.#add(stream, response);
    stream.follow(
      this.#options.relay.subscribe(jobId, afterSeq, {
        onEvent: (event) => stream.send(event),
        onError: () => response.destroy(),
      }),
    );
  }

  /** Ends all streams without a last event: their clients come back, to another process. */
  close(): void {
    this.#closing = true;
    for (const share of this.#shares) for (const stream of share) stream.dismiss();
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
  }

  #add(stream: EventStream, response: GatewayResponse): void {
    const { metrics, heartbeatMs } = this.#options;
    const share = this.#shares[this.#nextShare++ % BEAT_SHARES];
    share?.add(stream);
    metrics.streamOpened();
    response.once('close', () => {
      share?.delete(stream);
      metrics.streamClosed();
    });
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatMs / BEAT_SHARES).unref();
  }

  #beat(): void {
    for (const stream of this.#shares[this.#nextBeat++ % BEAT_SHARES] ?? []) stream.beat();
  }
}
