import { SingleBar } from 'cli-progress';
import type { Context, Output } from '../context.ts';
import { printableLine } from '../output/printable.ts';
import { cut } from '../output/width.ts';

const MOVE_MS = 500;
const MAX_BAR = 30;
const MIN_BAR = 10;
/** `[`, `] 100 %  `, and the last cell, which is cleared with the rest of the line. */
const AROUND_BAR = 11;
/** What most messages need. A narrow terminal gets a shorter bar. */
const MESSAGE = 45;

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
  readonly #stream: Output;
  readonly #barWidth: number;
  readonly #bar: SingleBar;
  readonly #timer: NodeJS.Timeout;
  #now: () => number = () => 0;
  #shown = 0;

  constructor(stream: Output) {
    this.#stream = stream;
    this.#barWidth = Math.max(MIN_BAR, Math.min(MAX_BAR, this.#columns() - AROUND_BAR - MESSAGE));
    this.#bar = new SingleBar({
      // Its type names the streams of a process.
      stream: stream as NodeJS.WriteStream,
      format: '[{bar}] {percentage} %  {text}',
      barCompleteChar: '#',
      barIncompleteChar: '.',
      barsize: this.#barWidth,
      hideCursor: true,
      // Ctrl-C is handled for the whole program.
      gracefulExit: false,
    });
    this.#bar.start(100, 0, { text: '' });
    this.#timer = setInterval(() => this.#bar.update(this.#move()), MOVE_MS).unref();
  }

  update(now: () => number, text: string): void {
    this.#now = now;
    const room = this.#columns() - AROUND_BAR - this.#barWidth;
    this.#bar.update(this.#move(), { text: cut(printableLine(text), room) });
  }

  #columns(): number {
    return this.#stream.columns || Number.POSITIVE_INFINITY;
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
    this.#stream.write(`${now()} %  ${printableLine(text)}\n`);
  }

  stop(): void {}
}
