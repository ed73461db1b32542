import { type Argument, Command } from 'commander';
import { addAccessCommands } from './commands/access-commands.ts';
import { addApiCommand } from './commands/api.ts';
import { addEventsCommand } from './commands/events.ts';
import { addJobCommands } from './commands/job-commands.ts';
import { addResourceCommands } from './commands/resource-commands.ts';
import { addSessionCommands } from './commands/session-commands.ts';
import type { Context } from './context.ts';

const ENVIRONMENT = `
Environment:
  GATEWAY_URL              the address of the gateway
  GATEWAY_TOKEN            a token, used in place of the stored session, with GATEWAY_PROJECT_ID
  GATEWAY_USERNAME, GATEWAY_PASSWORD, GATEWAY_USER_DOMAIN, GATEWAY_PROJECT, GATEWAY_PROJECT_DOMAIN,
  GATEWAY_APPLICATION_CREDENTIAL_ID, GATEWAY_APPLICATION_CREDENTIAL_SECRET
                           log in for each command
  NO_COLOR                 no colours

Exit codes: 0 success, 1 failure, 2 wrong input, 3 not logged in or not allowed, 4 not found,
5 conflict or quota, 6 gateway or cloud unreachable or busy, 130 interrupted.`;

export function createProgram(context: Context): Command {
  const { stdout, stderr, catalog } = context;
  const program = new Command('gateway')
    .description('The command line of the cloud resource gateway')
    .version(catalog.version)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(oneLine(text)),
    })
    .configureHelp({ subcommandTerm: withoutAlias })
    .addHelpText('after', ENVIRONMENT)
    .exitOverride();
  addSessionCommands(program, context);
  addResourceCommands(program, context);
  addJobCommands(program, context);
  addEventsCommand(program, context);
  addAccessCommands(program, context);
  addApiCommand(program, context);
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

/** As other failures are reported. */
function oneLine(text: string): string {
  return `${text
    .replace(/^error: /, 'gateway: ')
    .trim()
    .replaceAll('\n', ' ')}\n`;
}
