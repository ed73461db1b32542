import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../../auth/authenticator.ts';

/** Who the request says it comes from, and the project it names. */
export function credentialsOf({ headers }: IncomingMessage): Credentials {
  return { token: filled(headers['x-auth-token']), projectId: filled(headers['x-project-id']) };
}

/** Node takes the blanks around the value away; a header without a value is a missing one. */
function filled(header: string | string[] | undefined): string | undefined {
  return headerText(header) || undefined;
}

/** Whether the request says by itself who it comes from. */
export function hasToken({ headers }: IncomingMessage): boolean {
  return headers['x-auth-token'] !== undefined;
}

/** A header that was sent once. */
export function headerText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
