import { Writable } from 'node:stream';

export interface LogLines {
  readonly stream: Writable;
  /** The text written so far. */
  text(): string;
  /** The lines with this message, parsed. */
  withMessage(message: string): Record<string, unknown>[];
}

/** Captures the output of a logger. */
export function captureLogLines(): LogLines {
  let written = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  return {
    stream,
    text: () => written,
    withMessage: (message) =>
      written
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.message === message),
  };
}
