import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { printableLine } from '../output/printable.ts';
import { standardInput } from '../text-input.ts';

/** Whether a person can be asked. */
export function canAsk({ stdin, stderr }: Context): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks on the terminal. @param what such as `User name` @throws CliError without a terminal */
export async function ask(context: Context, what: string, hint: string): Promise<string> {
  requireTerminal(context, what, hint);
  const { default: input } = await import('@inquirer/input');
  return await input({ message: `${what}:`, required: true }, streams(context));
}

/** Like `ask`, without echo. */
export async function askSecret(context: Context, what: string, hint: string): Promise<string> {
  requireTerminal(context, what, hint);
  const { default: password } = await import('@inquirer/password');
  return await password({ message: `${what}:` }, streams(context));
}

/** Goes on without a terminal, where nobody can answer. @throws CliError unless the answer is yes */
export async function confirm(context: Context, what: string): Promise<void> {
  if (!canAsk(context)) return;
  const { default: input } = await import('@inquirer/input');
  const answer = await input({ message: `${printableLine(what)}? (y/N)` }, streams(context));
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CliError('Nothing has changed.', EXIT.interrupted);
}

/** The lines of the standard input, each of which is a secret. */
export async function readLines(context: Pick<Context, 'stdin'>): Promise<string[]> {
  return (await standardInput(context)).split(/\r?\n/);
}

function requireTerminal(context: Context, what: string, hint: string): void {
  if (!canAsk(context)) throw usageError(`${what} is missing, and there is no terminal to ask on: ${hint}.`);
}

function streams({ stdin, stderr, signal }: Context) {
  return { input: stdin, output: stderr, signal };
}
