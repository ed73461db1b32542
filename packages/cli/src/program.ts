import { type Argument, Command, Help } from 'commander';
import { addAccessCommands } from './commands/access-commands.ts';
import { addApiCommand } from './commands/api.ts';
import { addEventsCommand } from './commands/events.ts';
import { addHelp } from './commands/help.ts';
import { addJobCommands } from './commands/job-commands.ts';
import { addResourceCommands } from './commands/resource-commands.ts';
import { addSessionCommands } from './commands/session-commands.ts';
import { addCompletionCommands } from './completion/completion-commands.ts';
import type { Context, Output } from './context.ts';
import { printableLine } from './output/printable.ts';

/** Of a description in a help, beside a long name. */
const MIN_DESCRIPTION = 20;
/** Before a name, and after it. */
const GAPS = 4;
/** Of a description below a name, where there is less room. */
const INDENT = 6;
const DEFAULT_WIDTH = 80;

export function createProgram(context: Context): Command {
  const { stdout, stderr, catalog } = context;
  const program = new Command('gateway')
    .description('The command line of the cloud resource gateway')
    .version(catalog.version)
    // Behind a command, `--version` is an option of its own.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(`${asFailure(text)}\n`),
      getOutHelpWidth: () => helpWidth(stdout),
      getErrHelpWidth: () => helpWidth(stderr),
    })
    .configureHelp({ subcommandTerm: withoutAlias, minWidthToWrap: MIN_DESCRIPTION, formatItem })
    .exitOverride();
  addSessionCommands(program, context);
  addResourceCommands(program, context);
  addJobCommands(program, context);
  addEventsCommand(program, context);
  addAccessCommands(program, context);
  addApiCommand(program, context);
  addCompletionCommands(program, context);
  addHelp(program, helpWidth(stdout));
  return program;
}

function withoutAlias(command: Command): string {
  const words = command.registeredArguments.map(argumentTerm);
  return [command.name(), ...words].join(' ');
}

function argumentTerm(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

/** As other failures are reported: in one line. */
function asFailure(text: string): string {
  return printableLine(text.replace(/^error: /, 'gateway: ').trim());
}

/** As Commander's own, but on a narrow terminal with the description below the name. */
function formatItem(this: Help, term: string, termWidth: number, description: string, help: Help): string {
  const width = this.helpWidth ?? DEFAULT_WIDTH;
  const isNarrow = width - termWidth - GAPS < MIN_DESCRIPTION;
  if (description === '' || !isNarrow)
    return Help.prototype.formatItem.call(this, term, termWidth, description, help);
  const lines = help.boxWrap(description, width - INDENT).split('\n');
  return [`  ${term}`, ...lines.map((line) => `${' '.repeat(INDENT)}${line}`)].join('\n');
}

function helpWidth({ columns }: Output): number {
  return columns || DEFAULT_WIDTH;
}
