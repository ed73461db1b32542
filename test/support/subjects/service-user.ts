import { CloudClient } from '../clients/cloud-client.ts';
import { serviceLogin, testLogin } from '../stacks/test-stack.ts';

interface NamedRecord {
  id: string;
  name: string;
}

/** The gateway's own user, as an administrator of the cloud changes it. */
export class ServiceUser {
  readonly #admin: CloudClient;
  readonly #userId: string;
  readonly #projectId: string;

  private constructor(admin: CloudClient, { userId, projectId }: CloudClient) {
    this.#admin = admin;
    this.#userId = userId;
    this.#projectId = projectId;
  }

  static async find(identityUrl: string, login = serviceLogin): Promise<ServiceUser> {
    const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    return new ServiceUser(admin, await CloudClient.logIn(identityUrl, login));
  }

  async setPassword(password: string): Promise<void> {
    await this.#admin.call('identity', 'PATCH', `/users/${this.#userId}`, { user: { password } });
  }

  async addRole(name: string): Promise<void> {
    await this.#changeRole('PUT', name);
  }

  async removeRole(name: string): Promise<void> {
    await this.#changeRole('DELETE', name);
  }

  async #changeRole(method: 'PUT' | 'DELETE', name: string): Promise<void> {
    const { roles } = await this.#admin.call<{ roles: NamedRecord[] }>('identity', 'GET', '/roles');
    const role = roles.find((each) => each.name === name);
    const path = `/projects/${this.#projectId}/users/${this.#userId}/roles/${role?.id}`;
    await this.#admin.call('identity', method, path);
  }
}
