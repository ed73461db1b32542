import { GatewayError } from '@gateway/client';
import type { Environment } from '../context.ts';
import { CliError } from './cli-error.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-code.ts';
import { unusedProxyNote } from './proxy-note.ts';

const LOG_IN_AGAIN = 'Your session has ended: log in again with "gateway login".';
/** Codes of a session that has ended. Other 401 errors concern a log-in. */
const SESSION_CODES = ['session_expired', 'token_expired'];

/** A line for the user, and the exit code. */
export function describeError(error: unknown, env: Environment): { message: string; exitCode: ExitCode } {
  if (error instanceof CliError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof GatewayError) {
    return { message: sentenceOf(error), exitCode: exitCodeOf(error.status) };
  }
  if (isUnanswered(error)) {
    return {
      message:
        'The gateway has not answered for minutes. What was requested may continue: "gateway jobs" shows long operations.',
      exitCode: EXIT.unavailable,
    };
  }
  if (isNetworkError(error)) {
    return {
      message: `The gateway cannot be reached: ${causeOf(error)}.${unusedProxyNote(env)}`,
      exitCode: EXIT.unavailable,
    };
  }
  return { message: error instanceof Error ? error.message : String(error), exitCode: EXIT.failed };
}

/** An error of a request in a session, for which 401 means that the session has ended. */
export function inSession(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.status !== 401) return error;
  const hasEnded = error.code === 'unauthorized' || SESSION_CODES.includes(error.code);
  return hasEnded ? new CliError(LOG_IN_AGAIN, EXIT.refused) : error;
}

function sentenceOf(error: GatewayError): string {
  const { message, errors, jobId, requestId, retryAfterSeconds, status } = error;
  // With one problem, the message names it.
  const problems =
    errors.length > 1 ? ` ${errors.map(({ field, message: text }) => `${field}: ${text}`).join(' ')}` : '';
  const wait =
    status === 429 && retryAfterSeconds !== null ? ` The limit ends in ${retryAfterSeconds} s.` : '';
  const job = jobId === null ? '' : ` "gateway jobs follow ${jobId}" shows the job.`;
  return `${message}${problems}${wait}${job}${requestId === null ? '' : ` (${requestId})`}`;
}

/** The limit of Node.js for the first byte of a response, or for the next one. */
function isUnanswered(error: unknown): boolean {
  const { code } = ((error as Error | null)?.cause ?? {}) as { code?: string };
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
}

/** `fetch` throws a TypeError whose cause says what is wrong with the connection. */
function isNetworkError(error: unknown): error is TypeError {
  return error instanceof TypeError && (error.cause !== undefined || error.message.includes('terminated'));
}

function causeOf(error: TypeError): string {
  let last: unknown = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  const { code, message = '' } = last as { code?: string; message?: string };
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (status !== undefined) return `the proxy has refused the tunnel (CONNECT) to it with ${status}`;
  return (message || code || error.message).replace(/\.$/, '');
}
