import { randomUUID } from 'node:crypto';
import { CloudClient } from '../clients/cloud-client.ts';
import type { TestLogin } from '../stacks/test-stack.ts';
import type { Prepared } from './prepared-cloud.ts';

/** A user of their own project, whose account and role a test may change. The id is the project's. */
export interface PreparedMember extends Prepared {
  login: TestLogin;
  cloud: CloudClient;
  setEnabled(enabled: boolean): Promise<void>;
  setRole(hasRole: boolean): Promise<void>;
}

export async function prepareMember(identityUrl: string, admin: CloudClient): Promise<PreparedMember> {
  const name = `e2e-${randomUUID()}`;
  const login = { username: name, password: randomUUID(), projectName: name };
  const { roles } = await admin.call<{ roles: { id: string }[] }>('identity', 'GET', '/roles?name=member');
  const { project } = await admin.call<{ project: { id: string } }>('identity', 'POST', '/projects', {
    project: { name, domain_id: 'default' },
  });
  const { user } = await admin.call<{ user: { id: string } }>('identity', 'POST', '/users', {
    user: { name, password: login.password, domain_id: 'default' },
  });
  const role = `/projects/${project.id}/users/${user.id}/roles/${roles[0]?.id}`;
  await admin.call('identity', 'PUT', role);
  return {
    id: project.id,
    login,
    cloud: await CloudClient.logIn(identityUrl, login),
    setEnabled: (enabled) => admin.call('identity', 'PATCH', `/users/${user.id}`, { user: { enabled } }),
    setRole: (hasRole) => admin.call('identity', hasRole ? 'PUT' : 'DELETE', role),
    async remove() {
      await admin.call('identity', 'DELETE', `/users/${user.id}`);
      await admin.call('identity', 'DELETE', `/projects/${project.id}`);
    },
  };
}
