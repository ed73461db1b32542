import { type Command, Option } from 'commander';
import { FileOption } from '../operations/completed-values.ts';
import { FORMATS, type OutputOptions } from '../output/print.ts';
import type { SessionOptions } from '../session/open-session.ts';

export type CommandOptions = OutputOptions & SessionOptions & Record<string, unknown>;

export function withUrl(command: Command): Command {
  return command.addOption(new Option('--url <url>', 'the address of the gateway').env('GATEWAY_URL'));
}

export function dataOption(flags: string): Option {
  return new FileOption(flags, 'the body as JSON, @file or - for the standard input', '@');
}

/** For a command that prints rows or a record. */
export function withOutput(command: Command): Command {
  const columns = (text: string) => text.split(',').map((column) => column.trim());
  return withUrl(command)
    .addOption(
      new Option('-o, --output <format>', 'how to print the result').choices(FORMATS).default('table'),
    )
    .addOption(new Option('-c, --columns <names>', 'the columns, with commas between').argParser(columns))
    .addOption(new Option('-q, --quiet', 'print only ids'));
}
