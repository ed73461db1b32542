import type { Endpoints } from '../catalog.ts';

/** A caller as the services know him. */
export interface Identity {
  token: string;
  /** Empty, like the name, when the token has no project. */
  projectId: string;
  projectName: string;
  userId: string;
  userName: string;
  userDomainId: string;
  userDomainName: string;
  /** Names, of the roles held in the project. */
  roles: string[];
  /** ISO 8601. */
  expiresAt: string;
  /** Audit id of the token from which this one was made, directly or not; its own for the first; '' when not told. */
  chainId: string;
  endpoints: Endpoints;
  /** Set where an administrator stands in for the members of another project: what he lists is that project's. */
  standsInFor?: string;
}

/** The project wanted: by id, or by name within a domain. */
export type ProjectScope = { id: string } | { name: string; domainName: string };

export interface PasswordCredentials {
  username: string;
  password: string;
  /** The user's domain. */
  domainName: string;
  /** Absent: the user's default project when there is one, else a token without a project. */
  project?: ProjectScope;
  /** Instead of a project: what a trust made for this user delegates. */
  trustId?: string;
}
