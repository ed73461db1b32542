export interface RequestFinished {
  method: string;
  /** The route's pattern, never the requested path. */
  route: string;
  status: number;
  durationSeconds: number;
}

export interface UpstreamCall {
  service: string;
  operation: string;
  /** Null without a response. */
  status: number | null;
  durationSeconds: number;
}

export interface CacheRead {
  list: string;
  outcome: 'hit' | 'miss';
}

export interface JobFinished {
  type: string;
  outcome: 'completed' | 'failed' | 'cancelled';
  durationSeconds: number;
}

export interface StepFinished {
  type: string;
  step: string;
  outcome: 'completed' | 'failed' | 'undone' | 'left';
  durationSeconds: number;
}

/** Number of jobs by queue and state. */
export type QueueDepths = Record<string, Record<string, number>>;

/** Records measurements. Labels contain no ids, names or addresses. */
export interface Metrics {
  requestFinished(event: RequestFinished): void;
  upstreamCall(event: UpstreamCall): void;
  cacheRead(event: CacheRead): void;
  jobFinished(event: JobFinished): void;
  stepFinished(event: StepFinished): void;
  streamOpened(): void;
  streamClosed(): void;
  /** `read` is called at each scrape, and returns the number of leftovers. If it fails or takes too long, the metric is left out. */
  observeLeftovers(read: () => Promise<number>): void;
  /** `read` is called at each scrape. If it fails or takes too long, the metric is left out. */
  observeQueueDepth(read: () => Promise<QueueDepths>): void;
  /** All metrics, in the text exposition format. */
  metricsText(): Promise<{ contentType: string; body: string }>;
}
