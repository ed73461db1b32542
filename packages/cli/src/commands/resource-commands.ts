import { type Command, Option } from 'commander';
import { otherNumber } from '../catalog/nouns.ts';
import type { Field, Operation, Verb } from '../catalog/operation.ts';
import type { Context } from '../context.ts';
import { NamingArgument } from '../operations/completed-values.ts';
import { optionsOf } from '../operations/field-options.ts';
import { type CommandOptions, dataOption, withOutput } from './options.ts';
import { asksFirst, runOperation } from './run-operation.ts';

const FOLLOW = 'show the progress to the end, if it is a long operation';

const VERBS: Record<Verb, string> = {
  list: 'list resources',
  show: 'show one resource',
  create: 'create a resource',
  update: 'change a resource',
  delete: 'delete resources',
  action: 'start, stop or otherwise act on a resource',
};

/** Adds `list`, `show` and so on, with a subcommand for each resource of the OpenAPI document. */
export function addResourceCommands(program: Command, context: Context): void {
  for (const [verb, description] of Object.entries(VERBS)) {
    const parent = program.command(verb).description(description);
    const operations = context.catalog.operations.filter((operation) => operation.verb === verb);
    for (const operation of operations.toSorted(byNoun)) addOperation(parent, operation, context);
  }
}

function byNoun(left: Operation, right: Operation): number {
  return left.noun < right.noun ? -1 : Number(left.noun > right.noun);
}

function addOperation(verb: Command, operation: Operation, context: Context): void {
  const { action, noun } = operation;
  if (action !== undefined) addEndpoint(resourceOf(verb, noun).command(action), operation, context);
  else addEndpoint(withOtherNumber(verb.command(noun)), operation, context);
}

/** The command of a resource below `action`. */
function resourceOf(verb: Command, noun: string): Command {
  const known = verb.commands.find((command) => command.name() === noun);
  return known ?? withOtherNumber(verb.command(noun)).description(`actions of a resource: ${noun}`);
}

/** `list instance` and `show instances` are understood, too. */
function withOtherNumber(command: Command): Command {
  const other = otherNumber(command.name());
  return other === null ? command : command.alias(other);
}

/** Gives a command the arguments, the options and the effect of an endpoint. */
export function addEndpoint(command: Command, operation: Operation, context: Context): void {
  command.description(operation.summary);
  addArguments(command, operation);
  const fields = [...operation.query, ...(operation.body ?? [])];
  const hasUrl = fields.some(({ name }) => name === 'url');
  withOutput(command, hasUrl ? '--gateway-url' : '--url');
  addOptions(command, operation, fields);
  command.action(async () => {
    await runOperation(context, operation, command.args, command.opts<CommandOptions>());
  });
}

function addArguments(command: Command, { verb, parameters }: Operation): void {
  const isDeletion = verb === 'delete';
  for (const [index, parameter] of parameters.entries()) {
    const word = parameter.name.replace(/_(?:id|name)$/, '').replaceAll('_', '-');
    const isLast = index === parameters.length - 1;
    const text = isDeletion && isLast ? `<${word}...>` : `<${word}>`;
    command.addArgument(new NamingArgument(text, parameter));
  }
}

/** A creation and the like are followed unless the user is in a hurry: the result is the resource. */
function addFollowing(command: Command): void {
  command
    .option('-f, --follow', `${FOLLOW}: the default`)
    .option('--no-follow', 'print the job of a long operation at once');
}

function addOptions(command: Command, operation: Operation, fields: readonly Field[]): void {
  const { verb, body, isPage, method, streams } = operation;
  for (const field of fields) {
    for (const option of optionsOf(field)) command.addOption(option);
  }
  if (isPage) command.addOption(new Option('--all', 'read all pages'));
  if (body) command.addOption(dataOption('--data <json>'));
  if (asksFirst(operation)) command.option('-y, --yes', 'do not ask first');
  if (verb === 'delete') return;
  if (verb === 'create' || streams) addFollowing(command);
  else if (method !== 'GET') command.option('-f, --follow', FOLLOW);
}
