import { randomBytes } from 'node:crypto';
import type { CallContext } from './call.ts';
import type { Openstack } from './client.ts';
import type { ApplicationCredentialLogin, Identity } from './credentials/identity.ts';
import { isConflict } from './errors/index.ts';
import { refuseUselessCredential } from './refuse-useless-credential.ts';
import { removeAsAny } from './remove-as-any.ts';
import type { ServiceAccount } from './service-account.ts';

interface NewCredentialMaker {
  /** Unique among the user's credentials. An existing credential with the same name is replaced. */
  name: string;
  description: string;
  roles: readonly string[];
  /** ISO 8601. */
  expiresAt: string;
}

const SECRET_BYTES = 48;

/**
 * Application credentials that may create others, for jobs. The identity service does not allow this with a
 * delegation, and a token ends with a log-out or a new password.
 */
export class CredentialMakers {
  readonly #openstack: Openstack;
  readonly #account: ServiceAccount;

  constructor(openstack: Openstack, serviceAccount: ServiceAccount) {
    this.#openstack = openstack;
    this.#account = serviceAccount;
  }

  /** Throws the errors of the identity service, and a 403 if the user cannot log in with the credential. */
  async create(
    identity: Identity,
    maker: NewCredentialMaker,
    call: CallContext,
  ): Promise<ApplicationCredentialLogin> {
    const created = await this.#create(identity, maker, call);
    await refuseUselessCredential(this.#openstack, identity, created, call);
    return created;
  }

  async #create(
    identity: Identity,
    { name, description, roles, expiresAt }: NewCredentialMaker,
    call: CallContext,
  ): Promise<ApplicationCredentialLogin> {
    const { applicationCredentials } = this.#openstack.as(identity, call).identity;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const create = () =>
      applicationCredentials.create(identity.userId, {
        name,
        secret,
        description,
        roles: roles.map((role) => ({ name: role })),
        expires_at: expiresAt,
        unrestricted: true,
      });
    try {
      return { id: (await create()).id, secret };
    } catch (error) {
      if (!isConflict(error)) throw error;
      // An earlier attempt of the same request was interrupted after this call.
      for (const { id } of await applicationCredentials.listByName(identity.userId, name)) {
        await applicationCredentials.remove(identity.userId, id);
      }
      return { id: (await create()).id, secret };
    }
  }

  /**
   * Tries the user's token, then the credential itself, then the service account. Returns false if the
   * credential lasts until it expires.
   */
  remove(maker: ApplicationCredentialLogin, owner: Identity, call: CallContext): Promise<boolean> {
    const identities = [
      async () => owner,
      () => this.#openstack.identity.authenticateApplicationCredential(maker, call),
      () => this.#account.identity(call),
    ];
    return removeAsAny(identities, (identity) =>
      this.#openstack.as(identity, call).identity.applicationCredentials.remove(owner.userId, maker.id),
    );
  }
}
