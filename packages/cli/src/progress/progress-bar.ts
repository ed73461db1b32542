import { SingleBar } from 'cli-progress';
import type { Context, Output } from '../context.ts';
import { printable } from '../output/printable.ts';

/** Shows how far a job is. */
export interface Progress {
  update(percent: number, text: string): void;
  stop(): void;
}

/** A bar on a terminal, and a line for each event elsewhere. */
export function showProgress({ stderr, env }: Context): Progress {
  return stderr.isTTY && env.TERM !== 'dumb' ? new Bar(stderr) : new Lines(stderr);
}

class Bar implements Progress {
  readonly #bar: SingleBar;

  constructor(stream: Output) {
    this.#bar = new SingleBar({
      // Its type names the streams of a process.
      stream: stream as NodeJS.WriteStream,
      format: '[{bar}] {percentage} %  {text}',
      barCompleteChar: '#',
      barIncompleteChar: '.',
      barsize: 30,
      hideCursor: true,
      // Ctrl-C is handled for the whole program.
      gracefulExit: false,
    });
    this.#bar.start(100, 0, { text: '' });
  }

  update(percent: number, text: string): void {
    this.#bar.update(percent, { text: printable(text) });
  }

  stop(): void {
    this.#bar.stop();
  }
}

class Lines implements Progress {
  readonly #stream: Output;

  constructor(stream: Output) {
    this.#stream = stream;
  }

  update(percent: number, text: string): void {
    this.#stream.write(`${percent} %  ${printable(text)}\n`);
  }

  stop(): void {}
}
