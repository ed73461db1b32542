import type { Right } from '@gateway/context';
import { storeUnavailable } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Actor } from '@gateway/resources';

/** An authenticated caller with access to the project that the request names. */
export interface Caller {
  identity: Identity;
  can: readonly Right[];
  /** The session of the log-in that the token came from; '' while the store is unavailable. */
  sessionId: string;
}

/** The caller as the rules of actions know it. */
export function actorOf({ can }: Pick<Caller, 'can'>): Actor {
  return { isAdministrator: can.includes('administer'), mayChange: can.includes('change') };
}

/** The id of the caller's session. @throws 503 while the store is unavailable, when callers have none */
export function requireSession({ sessionId }: Caller): string {
  if (sessionId !== '') return sessionId;
  throw storeUnavailable('Sessions are not available right now.', { retryAfterSeconds: 5 });
}
