import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { note } from '../output/print.ts';
import { configFolder } from '../session/config-folder.ts';
import { gatewayIdentity, type Identity, isComplete, openstackIdentity } from '../session/identity.ts';
import { logIn } from '../session/log-in.ts';
import { checkedUrl, type SessionOptions } from '../session/open-session.ts';
import { ask, askSecret, canAsk, readLines } from '../session/prompt.ts';
import { readSession, writeSession } from '../session/session-file.ts';
import { withUrl } from './options.ts';

type LogInOptions = Identity & SessionOptions;

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

export function addLogInCommand(program: Command, context: Context): void {
  withUrl(program.command('login'))
    .description('log in, and keep the session on this machine')
    .option('-u, --username <name>', 'the user')
    .option('--user-domain <domain>', 'the domain of the user: name or id')
    .option('-p, --project <name>', 'the project; the default project of the user if omitted')
    .option('--project-domain <domain>', 'the domain of the project: name or id')
    .option('--application-credential <id>', 'log in as a program, with the secret of this credential')
    .addHelpText(
      'after',
      `
The password or secret is asked for. Without a terminal it comes from
GATEWAY_PASSWORD or GATEWAY_APPLICATION_CREDENTIAL_SECRET, from the variables of
an openrc file, or from a pipe.`,
    )
    .action((options: LogInOptions) => runLogIn(context, options));
}

async function runLogIn(context: Context, options: LogInOptions): Promise<void> {
  const { env } = context;
  const folder = configFolder(env);
  const given =
    options.gatewayUrl ??
    readSession(folder)?.url ??
    (await ask(context, 'Address of the gateway', 'use --url, or set GATEWAY_URL'));
  const url = checkedUrl(given);
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !LOCAL.includes(hostname)) {
    note(context, 'Warning: the address begins with http, so others on the network can read the password.');
  }
  const identity = await identityOf(context, options);
  const { session } = await logIn(context, url, identity);
  const { token, project_id, project_name, username } = session;
  const { applicationCredential: application_credential = '' } = identity;
  writeSession(folder, { url, token, project_id, project_name, username, application_credential });
  note(context, `Logged in as ${username} to the project ${project_name}.`);
}

/** From options, then from the environment, then from the user. */
async function identityOf(context: Context, options: LogInOptions): Promise<Identity> {
  const named = merge(options, gatewayIdentity(context.env));
  // The password of an openrc file is that of its user.
  const hasUser = named.username || named.applicationCredential;
  const identity = hasUser ? named : merge(named, openstackIdentity(context.env));
  // A user who is named does not mean the credential of the environment, nor the secret of another one.
  if (options.username) delete identity.applicationCredential;
  const { applicationCredential, username } = gatewayIdentity(context.env);
  if (isOther(options.username, username)) delete identity.password;
  if (isOther(options.applicationCredential, applicationCredential))
    delete identity.applicationCredentialSecret;
  if (isComplete(identity)) return identity;
  if (!identity.applicationCredential && !identity.username) {
    identity.username = await ask(context, 'User name', 'use --username, or set GATEWAY_USERNAME');
  }
  const secret = canAsk(context)
    ? await askSecret(context, identity.applicationCredential ? 'Secret' : 'Password', '')
    : (await readLines(context))[0];
  if (!secret)
    throw usageError('The password is missing: use a terminal or a pipe, or set GATEWAY_PASSWORD.');
  if (identity.applicationCredential) identity.applicationCredentialSecret = secret;
  else identity.password = secret;
  return identity;
}

function isOther(given: string | undefined, inEnvironment: string | undefined): boolean {
  return Boolean(given && inEnvironment && given !== inEnvironment);
}

function merge(...identities: Identity[]): Identity {
  const result: Identity = {};
  for (const identity of identities.toReversed()) {
    for (const [name, value] of Object.entries(identity)) if (value) Object.assign(result, { [name]: value });
  }
  return result;
}
