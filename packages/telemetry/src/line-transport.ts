import { MESSAGE } from 'triple-beam';
import Transport from 'winston-transport';
import type { LogRecord } from './log-record.ts';

const MAX_BUFFER_LENGTH = 64 * 1024;

/** Buffers the lines of one event loop iteration, and sends them to the stream in one write. */
export class LineTransport extends Transport {
  readonly #stream: NodeJS.WritableStream;
  #buffer = '';

  constructor(stream: NodeJS.WritableStream) {
    super();
    this.#stream = stream;
  }

  override log(record: LogRecord, next: () => void): void {
    if (this.#buffer === '') setImmediate(() => this.flush());
    this.#buffer += record[MESSAGE] ?? '';
    if (this.#buffer.length >= MAX_BUFFER_LENGTH) this.flush();
    next();
  }

  /**
   * Also called when the process exits: writes to standard output are synchronous for
   * files, pipes and terminals.
   */
  flush(): void {
    if (this.#buffer === '') return;
    const lines = this.#buffer;
    this.#buffer = '';
    this.#stream.write(lines);
  }
}
