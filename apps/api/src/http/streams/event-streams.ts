import type { ProgressRelay } from '@gateway/jobs';
import type { Metrics, StreamKind } from '@gateway/platform';
import type { GatewayResponse } from '../response/gateway-response.ts';
import { writeHeaders } from '../response/headers.ts';
import { EventStream } from './event-stream.ts';
import type { ProjectStream } from './project-stream.ts';

type JobStreamOptions = Partial<Pick<JobStream, 'afterSeq' | 'isComplete' | 'resourceId'>>;

/** The result of a handler that streams the events of a job to the caller. */
export class JobStream {
  readonly jobId: string;
  /** The number of the last event that the caller has received. */
  readonly afterSeq: number;
  /** Whether that event was the last event of the job. */
  readonly isComplete: boolean;
  /** The id of what the job creates or changes, if it is known when the stream begins. */
  readonly resourceId: string | null;

  constructor(jobId: string, { afterSeq = 0, isComplete = false, resourceId = null }: JobStreamOptions = {}) {
    this.jobId = jobId;
    this.afterSeq = afterSeq;
    this.isComplete = isComplete;
    this.resourceId = resourceId;
  }

  /** Name, value, name, value. */
  headers(): string[] {
    const { jobId, resourceId } = this;
    return ['X-Job-Id', jobId, ...(resourceId === null ? [] : ['X-Resource-Id', resourceId])];
  }
}

const RECONNECT_MS = 2_000;
/**
 * Streams are split into groups that get their heartbeats one after the other. Heartbeats to all at once
 * would delay events.
 */
const HEARTBEAT_GROUPS = 128;
/** Headers that keep proxies from changing, buffering or caching the stream. */
const STREAM_HEADERS = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-cache, no-transform',
  'X-Accel-Buffering',
  'no',
];

interface EventStreamsOptions {
  relay: Pick<ProgressRelay, 'subscribe'>;
  metrics: Pick<Metrics, 'streamOpened' | 'streamClosed'>;
  /** How often each stream gets a heartbeat. */
  heartbeatMs: number;
}

/**
 * The open event streams of this process. A client that disconnects ends only its stream. The job continues.
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #groups = Array.from({ length: HEARTBEAT_GROUPS }, () => new Set<EventStream>());
  #nextGroup = 0;
  #nextHeartbeatGroup = 0;
  #closing = false;
  #heartbeat: NodeJS.Timeout | null = null;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  send(response: GatewayResponse, source: JobStream | ProjectStream): void {
    // The client has disconnected already, so no `close` event would end this stream.
    if (response.destroyed) return;
    const isOfJob = source instanceof JobStream;
    writeHeaders(response, 200, [...STREAM_HEADERS, ...(isOfJob ? source.headers() : [])]);
    if ((isOfJob && source.isComplete) || response.req.method === 'HEAD') {
      response.end();
      return;
    }
    const stream = new EventStream(response);
    stream.open(RECONNECT_MS);
    if (this.#closing) {
      stream.closeForShutdown();
      return;
    }
    this.#add(stream, response, isOfJob ? 'job' : 'project');
    if (!isOfJob) {
      source.start(stream, response);
      return;
    }
    stream.attach(
      this.#options.relay.subscribe(source.jobId, source.afterSeq, {
        onEvent: (event) => stream.send(event),
        onError: () => response.destroy(),
      }),
    );
  }

  /** Ends all streams before their last events, so that clients reconnect to another process. */
  close(): void {
    this.#closing = true;
    for (const group of this.#groups) for (const stream of group) stream.closeForShutdown();
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
  }

  #add(stream: EventStream, response: GatewayResponse, kind: StreamKind): void {
    const { metrics, heartbeatMs } = this.#options;
    const group = this.#groups[this.#nextGroup++ % HEARTBEAT_GROUPS];
    group?.add(stream);
    metrics.streamOpened(kind);
    response.once('close', () => {
      group?.delete(stream);
      metrics.streamClosed(kind);
    });
    this.#heartbeat ??= setInterval(() => this.#sendHeartbeats(), heartbeatMs / HEARTBEAT_GROUPS).unref();
  }

  #sendHeartbeats(): void {
    for (const stream of this.#groups[this.#nextHeartbeatGroup++ % HEARTBEAT_GROUPS] ?? [])
      stream.sendHeartbeat();
  }
}
