import type { Clock } from '@gateway/core';
import type { Closers, Config, Logger, Metrics, Tracing } from '@gateway/platform';

/** The parts that an entry point creates before the dependencies. */
export interface ProcessParts {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  /** Null, the default, unless traces are configured. */
  tracing?: Tracing | null;
  clock?: Clock;
}

export interface StartedProcess {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Null unless traces are configured. */
  readonly tracing: Tracing | null;
  readonly clock: Clock;
  /** Closes the resources of this process, in reverse order. */
  readonly closers: Closers;
}
