import { SingleBar } from 'cli-progress';
import type { Context, Output } from '../context.ts';
import { printable } from '../output/printable.ts';

const MOVE_MS = 500;

/** Shows how far a job is. */
export interface Progress {
  /** `now` says where the bar is, in percent, until the next update. */
  update(now: () => number, text: string): void;
  stop(): void;
}

/** A bar on a terminal, and a line for each event elsewhere. */
export function showProgress({ stderr, env }: Context): Progress {
  return stderr.isTTY && env.TERM !== 'dumb' ? new Bar(stderr) : new Lines(stderr);
}

class Bar implements Progress {
  readonly #bar: SingleBar;
  readonly #timer: NodeJS.Timeout;
  #now: () => number = () => 0;
  #shown = 0;

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
    this.#timer = setInterval(() => this.#bar.update(this.#move()), MOVE_MS).unref();
  }

  update(now: () => number, text: string): void {
    this.#now = now;
    this.#bar.update(this.#move(), { text: printable(text) });
  }

  /** A step that was faster than usual begins before the bar has arrived; nothing moves back. */
  #move(): number {
    this.#shown = Math.max(this.#shown, this.#now());
    return this.#shown;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#bar.stop();
  }
}

class Lines implements Progress {
  readonly #stream: Output;

  constructor(stream: Output) {
    this.#stream = stream;
  }

  update(now: () => number, text: string): void {
    this.#stream.write(`${now()} %  ${printable(text)}\n`);
  }

  stop(): void {}
}
