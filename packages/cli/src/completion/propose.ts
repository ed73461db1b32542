import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { FileOption, NamingArgument, NamingOption } from '../operations/completed-values.ts';
import { type Position, positionOf } from './command-line.ts';
import { namesIn } from './names.ts';
import type { Proposal } from './proposal.ts';

/** What can stand at the cursor: commands, options, their values, and names of resources. */
export async function propose(
  context: Context,
  program: Command,
  words: readonly string[],
): Promise<Proposal[]> {
  const position = positionOf(program, words);
  const { before, typed } = position;
  const proposals = await proposalsAt(context, position);
  return proposals
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, description }) => ({ value: `${before}${value}`, description }));
}

async function proposalsAt(context: Context, position: Position): Promise<Proposal[]> {
  const { command, given, option, typed } = position;
  if (option !== undefined) return valuesOf(context, option, typed);
  const help = command.createHelp();
  if (typed.startsWith('-')) {
    return help.visibleOptions(command).flatMap(({ long, description }) => proposalOf(long, description));
  }
  if (command.commands.length > 0 && given.length === 0) {
    return help
      .visibleCommands(command)
      .map((sub) => ({ value: sub.name(), description: sub.description() }));
  }
  const { registeredArguments: expected } = command;
  const argument = expected[given.length] ?? (expected.at(-1)?.variadic ? expected.at(-1) : undefined);
  return argument === undefined ? [] : argumentsLike(context, argument, position);
}

function proposalOf(value: string | undefined, description: string): Proposal[] {
  return value === undefined ? [] : [{ value, description }];
}

async function argumentsLike(
  context: Context,
  argument: Argument,
  { command, given }: Position,
): Promise<Proposal[]> {
  if (!(argument instanceof NamingArgument)) return choicesOf(argument.argChoices);
  const parents = command.registeredArguments.slice(0, given.length).flatMap((before, index) => {
    const text = given[index];
    return before instanceof NamingArgument && text !== undefined
      ? [{ ...before.parameter, given: text }]
      : [];
  });
  return namesIn(context, argument.parameter.list, parents);
}

async function valuesOf(context: Context, option: Option, typed: string): Promise<Proposal[]> {
  if (option instanceof NamingOption) return namesIn(context, option.list, []);
  if (option instanceof FileOption) return filesLike(option.mark, typed);
  return choicesOf(option.argChoices);
}

function choicesOf(choices: readonly string[] = []): Proposal[] {
  return choices.map((value) => ({ value }));
}

/** Files and folders beside the typed path; those of folders end with `/`. */
function filesLike(mark: string, typed: string): Proposal[] {
  if (!typed.startsWith(mark)) return [];
  const path = typed.slice(mark.length);
  const folder = path.endsWith('/') ? path : dirname(path);
  const shown = folder === '.' && !path.startsWith('.') ? '' : folder;
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      value: `${mark}${join(shown, entry.name)}${entry.isDirectory() ? '/' : ''}`,
    }));
  } catch {
    return [];
  }
}
