import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { NamingArgument } from '../operations/completed-values.ts';
import { resolveId } from '../operations/resolve.ts';
import type { Row } from '../output/cell.ts';
import { note, printRecord, printRows } from '../output/print.ts';
import { configFolder } from '../session/config-folder.ts';
import { withGateway } from '../session/open-session.ts';
import { readSession, removeSession, writeSession } from '../session/session-file.ts';
import { addLogInCommand } from './log-in.ts';
import { type CommandOptions, withOutput } from './options.ts';

const PROJECT = { name: 'project_id', list: '/api/auth/projects' };

/** `login`, `logout`, `whoami`, `projects` and `use`. */
export function addSessionCommands(program: Command, context: Context): void {
  addLogInCommand(program, context);
  program
    .command('logout')
    .description('end the session, and remove it from this machine')
    .action(() => logOut(context));
  withOutput(program.command('whoami').description('show the user, the project and the session')).action(
    (options: CommandOptions) => whoAmI(context, options),
  );
  withOutput(program.command('projects').description('list the projects of the user')).action(
    (options: CommandOptions) => listProjects(context, options),
  );
  program
    .command('use')
    .description('switch the session to another project')
    .addArgument(new NamingArgument('<project>', PROJECT))
    .action((project: string) => switchProject(context, project));
}

async function logOut(context: Context): Promise<void> {
  const folder = configFolder(context.env);
  if (readSession(folder) === null) return note(context, 'You are not logged in.');
  try {
    await withStored(context, (gateway) => gateway.request('POST /api/auth/logout'));
  } catch (error) {
    // It has ended already.
    if (!(error instanceof CliError) || error.exitCode !== EXIT.refused) throw error;
  } finally {
    // The session ends by itself if the gateway is unreachable.
    removeSession(folder);
  }
}

async function whoAmI(context: Context, options: CommandOptions): Promise<void> {
  await withGateway(context, options, async (gateway) => {
    const [user, session] = await Promise.all([
      gateway.request('GET /api/auth/me'),
      gateway.request('GET /api/auth/session-info'),
    ]);
    const stored = readSession(configFolder(context.env));
    const url = options.gatewayUrl ?? stored?.url;
    await printRecord(context, options, { url, ...user, session_expires_at: session.expires_at });
  });
}

async function listProjects(context: Context, options: CommandOptions): Promise<void> {
  await withGateway(context, options, async (gateway) => {
    const response = await gateway.request('GET /api/auth/projects');
    const current = gateway.credentials?.projectId;
    const rows: Row[] = response.map((project) => ({
      ...project,
      current: project.id === current ? '*' : '',
    }));
    const columns = ['current', 'id', 'name', 'domain_name', 'description'];
    await printRows(context, options, { rows, response, columns });
  });
}

async function switchProject(context: Context, project: string): Promise<void> {
  const folder = configFolder(context.env);
  const stored = readSession(folder);
  if (stored === null)
    throw usageError('Only a session of "gateway login" can switch: set GATEWAY_PROJECT instead.');
  await withStored(context, async (gateway) => {
    const id = await resolveId(context, gateway, PROJECT, project);
    const { token, project_id, project_name } = await gateway.switchProject(id);
    writeSession(folder, { ...stored, token, project_id, project_name });
    note(context, `The project is ${project_name}.`);
  });
}

/** With the stored session, whatever session the environment has. */
function withStored<Result>(
  context: Context,
  work: Parameters<typeof withGateway<Result>>[2],
): Promise<Result> {
  const others = Object.entries(context.env).filter(([name]) => !name.startsWith('GATEWAY_'));
  return withGateway({ ...context, env: Object.fromEntries(others) }, {}, work);
}
