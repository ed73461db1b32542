import { type Command, Option } from 'commander';
import { FileOption } from '../operations/completed-values.ts';
import { FORMATS, type OutputOptions } from '../output/print.ts';
import type { SessionOptions } from '../session/open-session.ts';

export type CommandOptions = OutputOptions & SessionOptions & Record<string, unknown>;

/** Its key is no name of a field, whatever its flag: a webhook has an address, too. */
class GatewayUrlOption extends Option {
  override attributeName(): string {
    return 'gatewayUrl' satisfies keyof SessionOptions;
  }
}

export function withUrl(command: Command, flag = '--url'): Command {
  const option = new GatewayUrlOption(`${flag} <url>`, 'the address of the gateway');
  return command.addOption(option.env('GATEWAY_URL'));
}

export function dataOption(flags: string): Option {
  return new FileOption(flags, 'the body as JSON, @file or - for the standard input', '@');
}

/** For a command that prints rows or a record. */
export function withOutput(command: Command, urlFlag?: string): Command {
  const columns = (text: string) => text.split(',').map((column) => column.trim());
  return withUrl(command, urlFlag)
    .addOption(
      new Option('-o, --output <format>', 'how to print the result').choices(FORMATS).default('table'),
    )
    .addOption(new Option('-c, --columns <names>', 'the columns, with commas between').argParser(columns))
    .addOption(new Option('-q, --quiet', 'print only ids'));
}
