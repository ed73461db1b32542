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
import { TOKEN_EXPIRED } from '@gateway/saga';
import type { Logger } from '@gateway/telemetry';

export interface JobCredentialsParts {
  openstack: Openstack;
  serviceAccount: ServiceAccount;
  /** Null when it is of no use any more. */
  credential: DelegatedIdentity | null;
  projectId: string;
  call: CallContext;
  logger: Logger;
}

/** One way to be let in. */
interface AuthMethod {
  name: string;
  /** Null when it is closed. */
  authenticate(): Promise<Identity | null>;
  /** A service has refused a token; it may be one of this way. */
  onRefused(token: string): void;
}

/** A delegation takes over from a token that is to end so soon, for services go on working with it. */
const ENDS_SOON_MS = 5 * 60_000;

/**
 * By what right one run of a job works. What is asked for is done in the owner's name: with his token, and with his
 * delegation when that has ended. What was made is also removed by the service account, where neither works.
 */
export class JobCredentials {
  readonly owner: BoundClient;
  readonly remover: BoundClient;
  readonly #parts: JobCredentialsParts;
  readonly #closed = new Set<AuthMethod>();

  constructor(parts: JobCredentialsParts) {
    const { openstack, credential, call } = parts;
    this.#parts = parts;
    const owners = credential === null ? [] : this.#waysOf(credential);
    this.owner = openstack.as(this.#source(owners), call);
    this.remover = openstack.as(this.#source([...owners, this.#serviceAccount()]), call);
  }

  #waysOf(credential: DelegatedIdentity): AuthMethod[] {
    const { delegation, expiresAt } = credential;
    // For the services to say when it has ended; the clock here may be another than theirs.
    const token = this.#token(credential, () => true);
    if (delegation === undefined || !this.#parts.serviceAccount.isConfigured) return [token];
    const endsLater = () => Date.parse(expiresAt) - ENDS_SOON_MS > Date.now();
    return [this.#token(credential, endsLater), this.#trust(delegation.trustId), token];
  }

  #token(identity: Identity, isUseful: () => boolean): AuthMethod {
    const way: AuthMethod = {
      name: 'token',
      authenticate: async () => (isUseful() ? identity : null),
      onRefused: (token) => {
        if (token === identity.token) this.#closed.add(way);
      },
    };
    return way;
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

  #serviceAccount(): AuthMethod {
    const { call, projectId, serviceAccount } = this.#parts;
    return {
      name: 'service account',
      authenticate: () => serviceAccount.identityForProject(projectId, call),
      onRefused: (token) => serviceAccount.invalidate(token),
    };
  }

  #source(ways: readonly AuthMethod[]): IdentitySource {
    const enter = async (refusal?: UpstreamError): Promise<Identity> => {
      for (const way of ways) {
        const identity = this.#closed.has(way) ? null : await this.#enter(way);
        if (identity !== null) return identity;
      }
      throw tokenExpired(refusal);
    };
    return {
      current: () => enter(),
      replace: ({ token }, refusal) => {
        for (const way of ways) way.onRefused(token);
        return enter(refusal);
      },
    };
  }

  /** Null for a way that is closed, from now on. */
  async #enter(way: AuthMethod): Promise<Identity | null> {
    try {
      const identity = await way.authenticate();
      if (identity !== null) return identity;
    } catch (error) {
      if (!isCredentialRejected(error)) throw error;
      this.#parts.logger.warn('A job is not let in by one of its rights', { right: way.name, error });
    }
    this.#closed.add(way);
    return null;
  }
}

/** A refusal like any other: what it was thrown for has not been done. */
function tokenExpired(refusal: UpstreamError | undefined): GatewayError {
  return new GatewayError(
    401,
    TOKEN_EXPIRED,
    'The token that the job was asked for with has expired before the job was done.',
    {
      cause: refusal,
      upstream: refusal?.upstream ?? { service: 'identity', status: 401, request_id: null },
    },
  );
}
