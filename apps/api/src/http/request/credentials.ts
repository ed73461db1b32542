import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../../auth/authenticator.ts';

/** The token and the project id in the headers of a request. */
export function credentialsOf({ headers }: IncomingMessage): Credentials {
  return { token: nonEmpty(headers['x-auth-token']), projectId: nonEmpty(headers['x-project-id']) };
}

/** Node trims the value. An empty header counts as missing. */
function nonEmpty(header: string | string[] | undefined): string | undefined {
  return headerText(header) || undefined;
}

/** Whether the request has a token header, even an empty one. */
export function hasToken({ headers }: IncomingMessage): boolean {
  return headers['x-auth-token'] !== undefined;
}

/** The value of a header that was sent once. */
export function headerText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
