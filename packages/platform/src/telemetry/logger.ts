import { BatchedWrites } from '@gateway/core';
import winston from 'winston';
import { jsonLine, maskRecord, textLine } from './line-format.ts';
import type { Origin } from './origin.ts';

export interface LoggerOptions {
  level: 'error' | 'warn' | 'info' | 'debug';
  /** `auto` is text in a terminal and JSON otherwise. */
  format: 'auto' | 'json' | 'text';
  /** Name of the process, such as `api`; the `app` field of each line. */
  service: string;
  /** Fields of each line. Defaults to none. */
  origin?: Origin;
}

/** The fields that each line has. winston appends a `message` among the fields to that of the line. */
type Reserved = 'time' | 'level' | 'app' | 'gateway' | 'region' | 'message';

type Meta = Record<string, unknown> & { [Name in Reserved]?: never };

/**
 * What the gateway uses of winston's logger. Messages are constant sentences. Values go into `meta`, an error
 * into `meta.error`. Every record is masked: values of secret keys, and recognisable secrets in strings.
 */
export interface Logger {
  /** The least important level that is written. A change counts for all children, too. */
  level: LoggerOptions['level'];
  error(message: string, meta?: Meta): void;
  warn(message: string, meta?: Meta): void;
  info(message: string, meta?: Meta): void;
  debug(message: string, meta?: Meta): void;
  /** A line of the level `info` that is written whatever the level is. */
  record(message: string, meta?: Meta): void;
  /** A line of the level `audit`, which is written whatever the level is. */
  audit(message: string, meta?: Meta): void;
  /** A logger that adds `meta` to each of its lines. Values of a line override it. */
  child(meta: Meta): Logger;
}

const LEVELS = { error: 0, audit: 0, record: 0, warn: 1, info: 2, debug: 3 };

/** Writes to standard output by default. */
export function createLogger(
  { level, format, service, origin }: LoggerOptions,
  stream: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Logger {
  const isText = format === 'text' || (format === 'auto' && stream.isTTY === true);
  const line = isText ? textLine(service, origin) : jsonLine(service, origin);
  const batched = new BatchedWrites(stream);
  if (stream === process.stdout || stream === process.stderr) process.on('exit', () => batched.flush());
  const logger = winston.createLogger({
    levels: LEVELS,
    level,
    format: winston.format.combine(maskRecord(), line),
    transports: [new winston.transports.Stream({ stream: batched, eol: '\n' })],
  });
  return logger as winston.Logger &
    Record<'audit' | 'record', winston.LeveledLogMethod> &
    Pick<Logger, 'level'>;
}
