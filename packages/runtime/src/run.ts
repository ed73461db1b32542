/** A process's work as a value; what starts also closes. */
export interface Service {
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The part of a logger that is needed here. */
export interface RunLogger {
  info(message: string, meta?: Record<string, unknown>): void;
  error(message: string, meta?: Record<string, unknown>): void;
}

/**
 * Starts the service; closes it once at SIGTERM or SIGINT and lets the process end by itself. A second
 * signal, or a close that takes longer than `deadlineMs`, ends the process with 1 at once. So does an error
 * that nobody caught, so that a supervisor starts it anew.
 */
export function run(_service: Service, _options: { logger: RunLogger; deadlineMs: number }): Promise<void> {
  throw new Error('Not built yet.');
}
