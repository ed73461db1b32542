import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { stopWithParent } from '../../../scripts/stop-with-parent.ts';

/** A child process that runs one command after the other. */
export class HelperProcess<Command extends object, Result extends { kind: string }> {
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

  /** @throws when the process exits before it has sent the result. */
  async run<Kind extends Result['kind']>(
    command: Command,
    _kind: Kind,
  ): Promise<Extract<Result, { kind: Kind }>> {
    const message = once(this.#child, 'message');
    this.#child.send(command);
    const [result] = await Promise.race([message, this.#ended]);
    return result as Extract<Result, { kind: Kind }>;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

/** Call in a helper process: runs each command and sends its result. A failed command ends the process. */
export function handleCommands<Command, Result extends object>(
  handle: (command: Command) => Promise<Result>,
): void {
  process.on('message', (command: Command) => {
    void handle(command).then((result) => process.send?.(result));
  });
}
