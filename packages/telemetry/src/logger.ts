import { LEVEL } from 'triple-beam';
import winston from 'winston';
import { lineFormat } from './line-format.ts';
import { LineTransport } from './line-transport.ts';
import type { LogLevel, LogRecord } from './log-record.ts';
import type { Origin } from './origin.ts';

export interface LoggerOptions {
  level: LogLevel;
  /** `auto` is text in a terminal and JSON otherwise. */
  format: 'auto' | 'json' | 'text';
  /** Name of the process, such as `api`; the `app` field of each line. */
  service: string;
  /** Fields of each line. Defaults to none. */
  origin?: Origin;
}

type Meta = Record<string, unknown>;

/**
 * Messages are constant sentences. Values go into `meta`, an error into `meta.error`. Every record is
 * redacted: values of secret keys, and recognisable secrets in strings. The names `time`, `level`, `app`,
 * `gateway`, `region` and `message` are reserved: in `meta`, they get an underscore appended.
 */
export interface Logger {
  error(message: string, meta?: Meta): void;
  warn(message: string, meta?: Meta): void;
  info(message: string, meta?: Meta): void;
  debug(message: string, meta?: Meta): void;
  /** A line of the level `info` that is written whatever the level is: what an audit needs. */
  record(message: string, meta?: Meta): void;
  /** A logger that adds `meta` to each of its lines. Values of a line override it. */
  child(meta: Meta): Logger;
}

const RANK: Record<LogLevel, number> = { error: 0, warn: 1, info: 2, debug: 3 };

/** Writes to standard output by default. */
export function createLogger(
  options: LoggerOptions,
  stream: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Logger {
  const auto = stream.isTTY === true ? 'text' : 'json';
  const transport = new LineTransport(stream);
  const sink = winston.createLogger({
    levels: RANK,
    level: options.level,
    format: lineFormat(options.service, options.format === 'auto' ? auto : options.format, options.origin),
    transports: [transport],
  });
  if (stream === process.stdout || stream === process.stderr) process.on('exit', () => transport.flush());
  return new WinstonLogger(sink, RANK[options.level], undefined);
}

function noop(): void {}

class WinstonLogger implements Logger {
  readonly #sink: winston.Logger;
  readonly #rank: number;
  readonly #bindings: Meta | undefined;

  constructor(sink: winston.Logger, rank: number, bindings: Meta | undefined) {
    this.#sink = sink;
    this.#rank = rank;
    this.#bindings = bindings;
  }

  error(message: string, meta?: Meta): void {
    this.#writeIfWanted('error', message, meta);
  }

  warn(message: string, meta?: Meta): void {
    this.#writeIfWanted('warn', message, meta);
  }

  info(message: string, meta?: Meta): void {
    this.#writeIfWanted('info', message, meta);
  }

  debug(message: string, meta?: Meta): void {
    this.#writeIfWanted('debug', message, meta);
  }

  record(message: string, meta?: Meta): void {
    this.#write('info', message, meta);
  }

  child(meta: Meta): Logger {
    return new WinstonLogger(this.#sink, this.#rank, { ...this.#bindings, ...meta });
  }

  #writeIfWanted(level: LogLevel, message: string, meta: Meta | undefined): void {
    if (RANK[level] <= this.#rank) this.#write(level, message, meta);
  }

  #write(level: LogLevel, message: string, meta: Meta | undefined): void {
    const record: LogRecord = { [LEVEL]: level, level, message, bindings: this.#bindings, meta };
    // Skips winston's `log`, which copies the record and searches its message for placeholders, and its
    // streams, which cost more than the line: the transport buffers by itself.
    const { format, transports } = this.#sink;
    const formatted = format.transform(record as unknown as winston.Logform.TransformableInfo);
    for (const transport of transports) transport.log?.(formatted, noop);
  }
}
