import type { Identity } from '@gateway/openstack';

/** A request's sender, known and let in to the project the request names. */
export interface Caller {
  identity: Identity;
  isAdmin: boolean;
  /** Of the login the token came from. */
  sessionId: string;
}
