import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import type { Context } from '../context.ts';
import { printableLine } from '../output/printable.ts';
import type { Proposal } from './proposal.ts';
import { propose } from './propose.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];
/** Of the last line, as shells read it: propose no files, and add no blank. */
const [NO_FILES, NO_BLANK] = [4, 2];

/** `completion <shell>`, and the hidden command that its script calls. */
export function addCompletionCommands(program: Command, context: Context): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and names')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: string) => printScript(context, shell));
  program
    .command('complete', { hidden: true })
    .argument('[word...]')
    .action(async (words: string[]) => printProposals(context, await propose(context, program, words)));
}

async function printScript({ stdout }: Context, shell: string): Promise<void> {
  if (shell === 'powershell') {
    const { script } = await import('@bomb.sh/tab');
    return script(shell, 'gateway', 'gateway');
  }
  // In the package, the folder is beside the bundle.
  stdout.write(readFileSync(new URL(`scripts/gateway.${shell}`, import.meta.url)));
}

/** A line each, with a description after a tab, and at last what the shell does with them. */
function printProposals({ stdout }: Context, proposals: readonly Proposal[]): void {
  for (const { value, description = '' } of proposals) {
    stdout.write(`${value}\t${printableLine(description)}\n`);
  }
  const isFolder = proposals.length === 1 && proposals[0]?.value.endsWith('/');
  stdout.write(`:${NO_FILES + (isFolder ? NO_BLANK : 0)}\n`);
}
