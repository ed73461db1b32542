import { Writable } from 'node:stream';

const MAX_BUFFER_LENGTH = 64 * 1024;

/** Sends the text that is written in one iteration of the event loop to the stream in one write. */
export class BatchedWrites extends Writable {
  readonly #stream: NodeJS.WritableStream;
  #buffer = '';

  constructor(stream: NodeJS.WritableStream) {
    super({ decodeStrings: false });
    this.#stream = stream;
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    if (this.#buffer === '') setImmediate(() => this.flush());
    this.#buffer += text;
    if (this.#buffer.length >= MAX_BUFFER_LENGTH) this.flush();
    done();
  }

  override _final(done: () => void): void {
    this.flush();
    done();
  }

  /** For a process that exits: writes to standard output are synchronous for files, pipes and terminals. */
  flush(): void {
    if (this.#buffer === '') return;
    const text = this.#buffer;
    this.#buffer = '';
    this.#stream.write(text);
  }
}
