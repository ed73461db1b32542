import type { Command } from 'commander';
import { commandNamed } from '../completion/command-line.ts';
import { usageError } from '../errors/cli-error.ts';

const VARIABLES: [name: string, meaning: string][] = [
  ['GATEWAY_URL', 'the address of the gateway'],
  ['GATEWAY_TOKEN', 'a token in place of the stored session, with GATEWAY_PROJECT_ID'],
  [
    'GATEWAY_USERNAME',
    'log in for each command, with GATEWAY_PASSWORD, and as needed GATEWAY_USER_DOMAIN, GATEWAY_PROJECT and GATEWAY_PROJECT_DOMAIN',
  ],
  [
    'GATEWAY_APPLICATION_CREDENTIAL_ID',
    'log in for each command as a program, with GATEWAY_APPLICATION_CREDENTIAL_SECRET',
  ],
  ['HTTPS_PROXY', 'the proxy to the gateway, and HTTP_PROXY; not for the hosts of NO_PROXY'],
  ['NO_COLOR', 'no colours'],
];
const EXIT_CODES =
  'Exit codes: 0 success, 1 failure, 2 wrong input, 3 not logged in or not allowed, 4 not found, 5 conflict or quota, 6 gateway or cloud unreachable or busy, 130 interrupted.';

/** `help list instances` as `list instances --help`, and more text for the help of the program. */
export function addHelp(program: Command, width: number): void {
  program.addHelpText('after', ({ command }) => environmentHelp(command, width));
  // Commander's own takes one word.
  program
    .helpCommand(false)
    .command('help')
    .description('show the help of a command')
    .argument('[command...]', 'such as: list instances')
    .action((words: string[]) => findCommand(program, words).help());
}

function findCommand(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const found = commandNamed(command, word);
    if (found === undefined) throw usageError(`There is no command "${words.join(' ')}".`);
    command = found;
  }
  return command;
}

function environmentHelp(command: Command, width: number): string {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: width });
  const nameWidth = Math.max(...VARIABLES.map(([name]) => name.length));
  const variables = VARIABLES.map(([name, meaning]) => help.formatItem(name, nameWidth, meaning, help));
  return ['', 'Environment:', ...variables, '', help.boxWrap(EXIT_CODES, width)].join('\n');
}
