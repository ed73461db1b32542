import type { Endpoints } from '../catalog.ts';
import type { DomainReference } from './domain-reference.ts';

/** A user with a token, as the identity service describes them. */
export interface Identity {
  token: string;
  /** Empty, like the names and the domain, for a token without a project. */
  projectId: string;
  projectName: string;
  projectDomainId: string;
  projectDomainName: string;
  /** Whether the identity service calls the project that of the administrators. */
  isAdminProject?: true;
  userId: string;
  userName: string;
  userDomainId: string;
  userDomainName: string;
  /** Names of the user's roles in the project. */
  roles: string[];
  /** ISO 8601. */
  expiresAt: string;
  /**
   * Audit id of the first token in the chain of rescopes that led to this token; '' if the
   * service does not report it.
   */
  chainId: string;
  endpoints: Endpoints;
  /** The source of the token; absent for a user who is stored in the identity service itself. */
  origin?: 'application_credential' | 'single_sign_on' | 'trust';
  /**
   * What the token may not exceed, although it acts as its user: the kind and id of an application
   * credential, a trust or a consumer's access token. Absent for a token of the user as a whole.
   */
  limitedBy?: string;
  /** Whether the token is good only for the requests that an application credential names. */
  hasAccessRules?: true;
  /** The project on whose behalf an administrator acts: lists show that project's resources. */
  actingForProjectId?: string;
}

/** Selects a project by id, or by name within a domain. */
export type ProjectScope = { id: string } | { name: string; domain: DomainReference };

export interface PasswordCredentials {
  username: string;
  password: string;
  /** The user's domain. */
  domain: DomainReference;
  /** Defaults to the user's default project; without one, the token has no project. */
  project?: ProjectScope;
  /** A trust in place of a project. Its trustee is this user. */
  trustId?: string;
}

/** What the identity service issues in place of a token to a user who has to prove more than the password. */
export interface AuthReceipt {
  /** A secret: whoever has it needs no password. */
  receipt: string;
  userId: string;
  /** The methods that the user has passed. */
  methods: string[];
  /** Lists of methods, each of which is sufficient as a whole. */
  requiredMethods: string[][];
  /** ISO 8601. */
  expiresAt: string;
}

/** The second step of a log-in. */
export interface PasscodeCredentials {
  /** Of an `AuthReceipt`. */
  receipt: string;
  userId: string;
  /** One-time passcode by time (TOTP). */
  passcode: string;
  /** As for `PasswordCredentials`. */
  project?: ProjectScope;
}

/** An application credential belongs to one project, so it needs no scope. */
export interface ApplicationCredentialLogin {
  id: string;
  secret: string;
}
