export interface RequestFinished {
  method: string;
  /** The route's pattern, never the path that was asked for. */
  route: string;
  status: number;
  durationSeconds: number;
}

export interface UpstreamCall {
  service: string;
  operation: string;
  /** Null when no answer came. */
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

/** What the code announces; labels hold no ids, names or addresses. */
export interface Metrics {
  requestFinished(event: RequestFinished): void;
  upstreamCall(event: UpstreamCall): void;
  cacheRead(event: CacheRead): void;
  jobFinished(event: JobFinished): void;
  stepFinished(event: StepFinished): void;
  streamOpened(): void;
  streamClosed(): void;
  /** `read` is called at each scrape for how many leftovers there are; like `observeQueueDepth`. */
  observeLeftovers(read: () => Promise<number>): void;
  /** `read` is called at each scrape; a read that fails or takes too long leaves the depths out. */
  observeQueueDepth(read: () => Promise<QueueDepths>): void;
  /** Everything, in the text exposition format. */
  metricsText(): Promise<{ contentType: string; body: string }>;
}
