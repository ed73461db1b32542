import { GatewayError } from '@gateway/core';
import {
  type BoundClient,
  CachedIdentity,
  type CallContext,
  type DelegatedIdentity,
  type Identity,
  type IdentitySource,
  isCredentialRejected,
  type Openstack,
  type ServiceAccount,
  type UpstreamError,
} from '@gateway/openstack';
import { DELEGATION_LOST, TOKEN_EXPIRED } from '@gateway/saga';
import type { Logger } from '@gateway/telemetry';

export interface JobCredentialsParts {
  openstack: Openstack;
  serviceAccount: ServiceAccount;
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
  /** The current one; null when there is none any more. */
  trustId(): Promise<string | null>;
  /** The message of the error when it no longer works. */
  lostMessage: string;
}

/** One way to authenticate. */
interface AuthMethod {
  name: string;
  /** Null when this method no longer works. */
  authenticate(): Promise<Identity | null>;
  /** Called when a service has refused a token, which may come from this method. */
  onRefused(token: string): void;
}

/**
 * A service may use a token for a while after the call. A delegation therefore replaces a token that expires sooner
 * than this.
 */
const ENDS_SOON_MS = 5 * 60_000;

/**
 * The identities that one run of a job uses. Requested changes use the owner's: the token, then the delegation once the
 * token has expired. For removing what the job has created, the service account is used where neither works.
 */
export class JobCredentials {
  readonly owner: BoundClient;
  readonly remover: BoundClient;
  /** The owner's with their token only, for calls that the services refuse to a delegation. */
  readonly person: BoundClient;
  readonly #parts: JobCredentialsParts;
  readonly #closed = new Set<AuthMethod>();

  constructor(parts: JobCredentialsParts) {
    const { openstack, credential, standing, call } = parts;
    this.#parts = parts;
    const ownerMethods = [
      ...(credential === null ? [] : this.#methodsOf(credential)),
      ...(standing === undefined ? [] : [this.#standing(standing)]),
    ];
    this.owner = openstack.as(this.#source(ownerMethods), call);
    this.person = openstack.as(
      this.#source(credential === null ? [] : [this.#token(credential, () => true)]),
      call,
    );
    this.remover = openstack.as(this.#source([...ownerMethods, this.#serviceAccount()]), call);
  }

  #methodsOf(credential: DelegatedIdentity): AuthMethod[] {
    const { delegation, expiresAt } = credential;
    // The services decide when the token has expired: their clock may differ from this one.
    const token = this.#token(credential, () => true);
    if (delegation === undefined || !this.#parts.serviceAccount.isConfigured) return [token];
    const endsLater = () => Date.parse(expiresAt) - ENDS_SOON_MS > Date.now();
    return [this.#token(credential, endsLater), this.#trust(delegation.trustId), token];
  }

  #token(identity: Identity, isUseful: () => boolean): AuthMethod {
    const method: AuthMethod = {
      name: 'token',
      authenticate: async () => (isUseful() ? identity : null),
      onRefused: (token) => {
        if (token === identity.token) this.#closed.add(method);
      },
    };
    return method;
  }

  #trust(trustId: string): AuthMethod {
    const { call, serviceAccount } = this.#parts;
    const kept = new CachedIdentity(() => serviceAccount.identityFromTrust(trustId, call));
    return {
      name: 'delegation',
      authenticate: () => kept.get(call),
      onRefused: (token) => kept.invalidate(token),
    };
  }

  /** Asks for the trust each time: it may have been revoked in favour of another one. */
  #standing({ trustId }: StandingRights): AuthMethod {
    const { call, serviceAccount } = this.#parts;
    let current: { trustId: string; kept: CachedIdentity } | null = null;
    return {
      name: 'standing delegation',
      async authenticate() {
        for (;;) {
          const id = await trustId();
          if (id === null || !serviceAccount.isConfigured) return null;
          if (current?.trustId !== id) {
            const kept = new CachedIdentity(() => serviceAccount.identityFromTrust(id, call));
            current = { trustId: id, kept };
          }
          try {
            return await current.kept.get(call);
          } catch (error) {
            if (!isCredentialRejected(error) || (await trustId()) === id) throw error;
          }
        }
      },
      onRefused: (token) => current?.kept.invalidate(token),
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

  /** Counts as a refusal: the call that it is thrown for has not been sent. */
  #accessLost(refusal: UpstreamError | undefined): GatewayError {
    const { standing } = this.#parts;
    const [code, message] =
      standing === undefined
        ? [TOKEN_EXPIRED, 'The token of the request expired before the job ended.']
        : [DELEGATION_LOST, standing.lostMessage];
    return new GatewayError(401, code, message, {
      cause: refusal,
      upstream: refusal?.upstream ?? { service: 'identity', status: 401, request_id: null },
    });
  }
}
