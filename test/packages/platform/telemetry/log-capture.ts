import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createLogger, type Logger, type LoggerOptions } from '@gateway/platform';

/** The text that a logger writes while `say` runs. */
export async function written(
  say: (logger: Logger) => void,
  options: Partial<LoggerOptions> = {},
): Promise<string> {
  const stream = new PassThrough({ encoding: 'utf8' });
  const logger = createLogger({ level: 'info', format: 'json', service: 'api', ...options }, stream);
  say(logger);
  const [text] = (await once(stream, 'data')) as [string];
  return text;
}

/** The only line that `say` writes, parsed. */
export async function lineOf(say: (logger: Logger) => void): Promise<Record<string, unknown>> {
  return JSON.parse(await written(say)) as Record<string, unknown>;
}

/** The fields of a line with this `meta`. */
export async function logged(meta: Record<string, unknown>): Promise<Record<string, unknown>> {
  const {
    time: _time,
    level: _level,
    app: _app,
    message: _message,
    ...rest
  } = await lineOf((log) => log.info('Said.', meta));
  return rest;
}
