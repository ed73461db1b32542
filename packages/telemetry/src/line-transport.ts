import { MESSAGE } from 'triple-beam';
import Transport from 'winston-transport';
import type { LogRecord } from './log-record.ts';

const FLUSH_AT = 64 * 1024;

/** Gathers the lines of one turn of the event loop and gives them to the stream in one write. */
export class LineTransport extends Transport {
  readonly #stream: NodeJS.WritableStream;
  #lines = '';

  constructor(stream: NodeJS.WritableStream) {
    super();
    this.#stream = stream;
  }

  override log(record: LogRecord, next: () => void): void {
    if (this.#lines === '') setImmediate(() => this.flush());
    this.#lines += record[MESSAGE] ?? '';
    if (this.#lines.length >= FLUSH_AT) this.flush();
    next();
  }

  /** Also called when the process exits: standard output to a file, pipe or terminal takes it at once. */
  flush(): void {
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    this.#stream.write(lines);
  }
}
