import { GatewayError } from '@gateway/core';
import {
  type ApplicationCredentialIdentities,
  type ApplicationCredentialLogin,
  type BoundClient,
  type CachedIdentity,
  type CallContext,
  type DelegatedIdentity,
  explainRefusal,
  type Identity,
  type IdentitySource,
  isCredentialRejected,
  type Openstack,
  type ProjectClient,
  type ServiceAccount,
  type UpstreamError,
} from '@gateway/openstack';
import type { Logger } from '@gateway/platform';
import { DELEGATION_LOST, TOKEN_EXPIRED } from '../saga/index.ts';

interface JobCredentialsParts {
  openstack: Openstack;
  serviceAccount: ServiceAccount;
  applicationCredentials: ApplicationCredentialIdentities;
  /** Null when it has expired, or for a job that stores none. */
  credential: DelegatedIdentity | null;
  /** The rights of a job that stores no credential. */
  standing?: StandingRights;
  projectId: string;
  call: CallContext;
  logger: Logger;
}

/** A delegation that outlives the job, and can be replaced by another one while the job runs. */
export interface StandingRights {
  /** The current delegation; null when there is none any more. */
  trustId(): Promise<string | null>;
  /** The error message when the delegation no longer works. */
  lostMessage: string;
}

/** One way to authenticate. */
interface AuthMethod {
  name: string;
  /** Null when this method no longer works. */
  authenticate(): Promise<Identity | null>;
  /** Called when a service has refused a token, which may come from this method. */
  onRefused(token: string): void;
  /** Whether the token came from this method, which no longer works. */
  isUseless?(token: string): Promise<boolean>;
}

const RIGHTS_LOST =
  'The user who requested the job has lost the account or the role that it works with, or the delegation was deleted.';
const CREDENTIAL_LOST =
  'The application credential that requested the job has expired or was deleted, or its user has lost the account or the role, or has multi-factor rules without ["application_credential"].';
const TOKEN_ENDED = 'The token of the request expired or was revoked before the job ended.';

/**
 * A service that is unavailable answers every call with 503. The identity service is asked no more often than
 * this.
 */
const USELESS_CHECK_MS = 30_000;

/**
 * The identities that one run of a job uses. Requested changes use the owner's delegation, the application
 * credential of a program, or the token of a job that has neither. For removing what the job has created, the
 * service account is used where neither works: only in the job's project, because the administrators of a
 * cloud see all projects.
 *
 * The delegation or the credential comes first, also while the token is valid: services continue to use a
 * token after their response, and a log-out would make them fail halfway. See decisions 24 and 121.
 */
export class JobCredentials {
  readonly owner: BoundClient;
  readonly remover: ProjectClient;
  /**
   * The owner without the delegation, for managing application credentials: the identity service refuses that
   * to a delegation.
   */
  readonly undelegatedOwner: BoundClient;
  readonly #parts: JobCredentialsParts;
  readonly #ownerSource: IdentitySource;
  readonly #closed = new Set<AuthMethod>();

  constructor(parts: JobCredentialsParts) {
    const { openstack, credential, standing, call, projectId } = parts;
    this.#parts = parts;
    const ownerMethods = [
      ...(credential === null ? [] : this.#methodsOf(credential)),
      ...(standing === undefined ? [] : [this.#standing(standing)]),
    ];
    this.#ownerSource = this.#source(ownerMethods);
    this.owner = openstack.as(this.#ownerSource, call);
    const undelegatedMethods = credential === null ? [] : this.#undelegatedMethods(credential);
    this.undelegatedOwner = openstack.as(this.#source(undelegatedMethods), call);
    const removal = this.#source([...ownerMethods, this.#serviceAccount()]);
    this.remover = openstack.forProject(removal, call, projectId);
  }

  /**
   * The gateway's own user in the job's project, who may force a deletion; null if it is not an
   * administrator.
   */
  async forcer(): Promise<ProjectClient | null> {
    const { openstack, serviceAccount, call, projectId } = this.#parts;
    if ((await serviceAccount.identityForProject(projectId, call)) === null) return null;
    return openstack.forProject(this.#source([this.#serviceAccount()]), call, projectId);
  }

  /** The owner's identity for removing resources of this project. */
  ownerIn(projectId: string): ProjectClient {
    const { openstack, call } = this.#parts;
    return openstack.forProject(this.#ownerSource, call, projectId);
  }

  #methodsOf(credential: DelegatedIdentity): AuthMethod[] {
    const { delegation } = credential;
    const token = this.#token(credential);
    if (credential.applicationCredential !== undefined) {
      return [this.#applicationCredential(credential.applicationCredential), token];
    }
    if (delegation === undefined || !this.#parts.serviceAccount.isConfigured) return [token];
    return [this.#trust(delegation.trustId), token];
  }

  #undelegatedMethods(credential: DelegatedIdentity): AuthMethod[] {
    const login = credential.credentialMaker ?? credential.applicationCredential;
    const token = this.#token(credential);
    return login === undefined ? [token] : [this.#applicationCredential(login), token];
  }

  /** The services decide when the token has expired: their clock may differ from this one. */
  #token(identity: Identity): AuthMethod {
    const method: AuthMethod = {
      name: 'token',
      authenticate: async () => identity,
      onRefused: (token) => {
        if (token === identity.token) this.#closed.add(method);
      },
    };
    return method;
  }

  #trust(trustId: string): AuthMethod {
    const { call, serviceAccount } = this.#parts;
    const logIn = () => serviceAccount.identityFromTrust(trustId, call);
    return this.#renewed('delegation', serviceAccount.trustIdentity(trustId), logIn);
  }

  #applicationCredential(login: ApplicationCredentialLogin): AuthMethod {
    const { applicationCredentials, call, openstack } = this.#parts;
    const logIn = () => openstack.identity.authenticateApplicationCredential(login, call);
    return this.#renewed('application credential', applicationCredentials.of(login), logIn);
  }

  /** Logs in again when a token has been refused: a new password also revokes the tokens of a delegation. */
  #renewed(name: string, cached: CachedIdentity, logIn: () => Promise<Identity>): AuthMethod {
    const { call } = this.#parts;
    let current: string | null = null;
    let checkedAt = 0;
    const method: AuthMethod = {
      name,
      async authenticate() {
        const identity = await cached.get(call);
        current = identity.token;
        return identity;
      },
      onRefused: (token) => cached.invalidate(token),
      async isUseless(token) {
        if (token !== current || Date.now() - checkedAt < USELESS_CHECK_MS) return false;
        checkedAt = Date.now();
        const isLost = await logIn().then(() => false, isCredentialRejected);
        if (isLost) cached.invalidate(token);
        return isLost;
      },
    };
    return method;
  }

  /** Reads the trust each time: another one may have replaced it. */
  #standing({ trustId }: StandingRights): AuthMethod {
    const { serviceAccount } = this.#parts;
    let current: { trustId: string; method: AuthMethod } | null = null;
    return {
      name: 'standing delegation',
      authenticate: async () => {
        for (;;) {
          const id = await trustId();
          if (id === null || !serviceAccount.isConfigured) return null;
          if (current?.trustId !== id) current = { trustId: id, method: this.#trust(id) };
          try {
            return await current.method.authenticate();
          } catch (error) {
            if (!isCredentialRejected(error) || (await trustId()) === id) throw error;
          }
        }
      },
      onRefused: (token) => current?.method.onRefused(token),
      isUseless: async (token) => (await current?.method.isUseless?.(token)) === true,
    };
  }

  #serviceAccount(): AuthMethod {
    const { call, projectId, serviceAccount } = this.#parts;
    return {
      name: 'service account',
      authenticate: () => serviceAccount.identityForProject(projectId, call),
      onRefused: (token) => serviceAccount.invalidate(token),
    };
  }

  #source(methods: readonly AuthMethod[]): IdentitySource {
    const authenticate = async (refusal?: UpstreamError): Promise<Identity> => {
      for (const method of methods) {
        const identity = this.#closed.has(method) ? null : await this.#authenticate(method);
        if (identity !== null) return identity;
      }
      throw this.#accessLost(refusal);
    };
    return {
      current: () => authenticate(),
      replace: ({ token }, refusal) => {
        for (const method of methods) method.onRefused(token);
        return authenticate(refusal);
      },
      async isUseless({ token }) {
        for (const method of methods) if (await method.isUseless?.(token)) return true;
        return false;
      },
    };
  }

  /** Null for a method that has failed, which is not tried again. */
  async #authenticate(method: AuthMethod): Promise<Identity | null> {
    try {
      const identity = await method.authenticate();
      if (identity !== null) return identity;
    } catch (error) {
      if (!isCredentialRejected(error)) throw error;
      this.#parts.logger.warn('A credential of a job was refused', { method: method.name, error });
    }
    this.#closed.add(method);
    return null;
  }

  /** Counts as a refusal: the call has not been sent. */
  #accessLost(refusal: UpstreamError | undefined): GatewayError {
    const [status, code, message] = this.#lostRights();
    return new GatewayError(status, code, message, {
      cause: refusal,
      upstream: refusal?.upstream ?? { service: 'identity', status: 401, request_id: null },
    });
  }

  #lostRights(): [status: number, code: string, message: string] {
    const { credential, standing } = this.#parts;
    if (standing !== undefined) return [403, DELEGATION_LOST, standing.lostMessage];
    if (credential?.applicationCredential !== undefined) return [403, DELEGATION_LOST, CREDENTIAL_LOST];
    if (credential?.delegation !== undefined) return [403, DELEGATION_LOST, RIGHTS_LOST];
    if (credential?.undelegated === undefined) return [401, TOKEN_EXPIRED, TOKEN_ENDED];
    const why = explainRefusal(credential.undelegated);
    return [401, TOKEN_EXPIRED, `${TOKEN_ENDED} The job had no delegation with which to continue: ${why}`];
  }
}
