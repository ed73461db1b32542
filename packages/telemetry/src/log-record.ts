import type { LEVEL, MESSAGE } from 'triple-beam';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** A log record in winston. */
export interface LogRecord {
  [LEVEL]: LogLevel;
  [MESSAGE]?: string;
  level: LogLevel;
  message: string;
  /** Metadata of the child logger, which all its records contain. */
  bindings: Record<string, unknown> | undefined;
  meta: Record<string, unknown> | undefined;
}
