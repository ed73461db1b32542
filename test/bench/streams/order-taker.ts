import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { stopWithParent } from '../../../scripts/stop-with-parent.ts';

/** A process that does one order after the other. */
export class OrderTaker<Order extends object, Answer extends { kind: string }> {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(entry: string) {
    this.#child = fork(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    stopWithParent(this.#child);
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error('A process that helps to measure has ended.');
    });
    this.#ended.catch(() => {});
  }

  /** @throws when it ends instead of answering. */
  async order<Kind extends Answer['kind']>(
    order: Order,
    _kind: Kind,
  ): Promise<Extract<Answer, { kind: Kind }>> {
    const answered = once(this.#child, 'message');
    this.#child.send(order);
    const [answer] = await Promise.race([answered, this.#ended]);
    return answer as Extract<Answer, { kind: Kind }>;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

/** In such a process: does what it is told, and answers. An order that fails ends the process. */
export function obey<Order, Answer extends object>(act: (order: Order) => Promise<Answer>): void {
  process.on('message', (order: Order) => {
    void act(order).then((answer) => process.send?.(answer));
  });
}
