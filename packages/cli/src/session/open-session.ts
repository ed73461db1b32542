import type { GatewayClient } from '@gateway/client';
import type { Context, Environment } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { inSession } from '../errors/describe-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { configFolder } from './config-folder.ts';
import { createClient } from './create-client.ts';
import { gatewayIdentity, isComplete } from './identity.ts';
import { logIn } from './log-in.ts';
import { readSession, type StoredSession } from './session-file.ts';

/** The user waits for it at the end of a command. */
const LOG_OUT_MS = 5000;

export interface SessionOptions {
  gatewayUrl?: string;
}

/**
 * Does something as the user: with the token of the environment, after a log-in with its credentials, or with
 * the stored session, in this order. @throws CliError without any, or when the session has ended
 */
export async function withGateway<Result>(
  context: Context,
  options: SessionOptions,
  work: (gateway: GatewayClient) => Promise<Result>,
): Promise<Result> {
  const { gateway, close } = await openSession(context, options);
  try {
    return await work(gateway);
  } catch (error) {
    throw inSession(error);
  } finally {
    await close?.();
  }
}

interface OpenSession {
  gateway: GatewayClient;
  /** Ends a session that was begun for one command. */
  close?: () => Promise<void>;
}

async function openSession(context: Context, options: SessionOptions): Promise<OpenSession> {
  const { env } = context;
  const wanted = options.gatewayUrl ?? env.GATEWAY_URL;
  const identity = gatewayIdentity(env);
  if (!env.GATEWAY_TOKEN && !isComplete(identity)) return { gateway: storedSession(context, wanted) };
  const url = wanted ?? readSession(configFolder(env))?.url;
  if (!url) throw usageError('The address of the gateway is missing: set GATEWAY_URL.');
  if (env.GATEWAY_TOKEN) {
    const credentials = { token: env.GATEWAY_TOKEN, projectId: env.GATEWAY_PROJECT_ID ?? '' };
    if (credentials.projectId === '') throw usageError('With GATEWAY_TOKEN, GATEWAY_PROJECT_ID is required.');
    return { gateway: createClient(context, checkedUrl(url), credentials) };
  }
  const { gateway } = await logIn(context, checkedUrl(url), identity);
  const close = () => logOut(context, checkedUrl(url), gateway);
  try {
    if (env.GATEWAY_PROJECT_ID) await gateway.switchProject(env.GATEWAY_PROJECT_ID);
  } catch (error) {
    await close();
    throw error;
  }
  return { gateway, close };
}

/** Also after Ctrl-C, which aborts all other requests. Without an answer, the session ends by itself. */
async function logOut(context: Context, url: string, { credentials }: GatewayClient): Promise<void> {
  const signal = AbortSignal.timeout(LOG_OUT_MS);
  const gateway = createClient({ ...context, signal }, url, credentials);
  await gateway.request('POST /api/auth/logout').catch(() => {});
}

function storedSession(context: Context, wanted: string | undefined): GatewayClient {
  const session = readSession(configFolder(context.env));
  // The token of one gateway must not be sent to another.
  if (session === null || (wanted && checkedUrl(wanted) !== session.url)) {
    const at = wanted ? ` at ${wanted}` : '';
    throw new CliError(`You are not logged in${at}: use "gateway login".`, EXIT.refused);
  }
  requireSame(context.env, session);
  const { url, token, project_id: projectId } = session;
  return createClient(context, url, { token, projectId });
}

/** A variable cannot change the session, so a command must not act as another user or in another project. */
function requireSame(env: Environment, session: StoredSession): void {
  const { username, project_id: projectId, project_name: project } = session;
  const known: [variable: string, ...values: string[]][] = [
    ['GATEWAY_USERNAME', username],
    ['GATEWAY_APPLICATION_CREDENTIAL_ID', session.application_credential],
    ['GATEWAY_PROJECT', project, projectId],
    ['GATEWAY_PROJECT_ID', projectId],
  ];
  for (const [variable, ...values] of known) {
    const wanted = env[variable];
    if (!wanted || values.includes(wanted)) continue;
    const stored = `the stored session is that of ${username} in the project ${project}`;
    throw usageError(
      `${variable} is "${wanted}", but ${stored}: unset it, or set all variables that a log-in needs.`,
    );
  }
}

/** Without a slash at its end. @throws CliError for another text */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(`"${text}" is no address of a gateway, such as https://gateway.example.org.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError('The address of the gateway must not contain a password.');
  }
  return url.href.replace(/\/$/, '');
}
