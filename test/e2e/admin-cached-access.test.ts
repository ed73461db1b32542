import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AdminProject, User } from '@gateway/resources';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { IdentitySuite } from '../support/stacks/identity-suite.ts';
import { isRealCloud } from '../support/stacks/test-stack.ts';

const USERS = '/api/admin/users';
const PROJECTS = '/api/admin/projects';
const GROUPS = '/api/admin/groups';
const ROLES = '/api/admin/roles';

describe('cached access', function () {
  this.timeout(300_000);
  let suite: IdentitySuite;

  before(async () => {
    // The stacks of tests keep tokens for longer than the tests take: only an invalidation removes one.
    suite = await IdentitySuite.start();
  });

  after(() => suite?.stop());

  /** A user with a password, logged in to a project of their own at both processes, which cache the user. */
  async function makeMember(grant: (user: User, project: AdminProject) => Promise<unknown>) {
    const password = randomUUID();
    const user = await suite.makeUser({ password });
    const project = await suite.makeProject();
    await grant(user, project);
    const here = await suite.logIn({ username: user.name, password, projectName: project.name });
    const there = here.at(suite.otherUrl);
    await assertStatus([here, there], '/api/auth/me', 200);
    await assertStatus([here, there], '/api/auth/me', 200);
    return { user, project, clients: [here, there] };
  }

  async function assertStatus(clients: GatewayClient[], path: string, status: number): Promise<void> {
    for (const client of clients) assert.equal((await client.request('GET', path)).status, status);
  }

  /**
   * Waits until both processes respond with the status. A real identity service also has a cache,
   * and may accept a token for some time after its roles are revoked. A process may then respond
   * like the service itself.
   */
  async function untilStatus(clients: GatewayClient[], path: string, status: number): Promise<void> {
    await eventually(async () => {
      for (const client of clients) {
        const found = (await client.request('GET', path)).status;
        if (isRealCloud() && found !== status) assert.equal(found, await statusByService(client, path));
        else assert.equal(found, status);
      }
      return true;
    });
  }

  /** The status that the identity service itself returns for the request. */
  async function statusByService({ token }: GatewayClient, path: string): Promise<number> {
    const response = await fetch(
      `${(suite.stack.identityUrl ?? '').replace(/\/v3\/?$/, '')}/v3/auth/tokens`,
      {
        headers: { 'x-auth-token': token, 'x-subject-token': token },
      },
    );
    if (response.status !== 200) return 401;
    const body = (await response.json()) as { token: { roles: { name: string }[] } };
    return path === ROLES && body.token.roles.every(({ name }) => name !== 'admin') ? 403 : 200;
  }

  it('ends everywhere for a user who is removed from a group', async () => {
    const group = await suite.makeGroup();
    const roleId = await suite.roleId('member');
    const { user, clients } = await makeMember(async (user, project) => {
      await suite.change(204, 'PUT', `${GROUPS}/${group.id}/users/${user.id}`);
      await suite.assign({ group_id: group.id }, project.id, roleId);
    });

    await suite.change(204, 'DELETE', `${GROUPS}/${group.id}/users/${user.id}`);

    await untilStatus(clients, '/api/auth/me', 401);
  });

  it('ends everywhere for members of a deleted or less privileged group', async () => {
    const groups = [await suite.makeGroup(), await suite.makeGroup()];
    const [memberId, adminId] = [await suite.roleId('member'), await suite.roleId('admin')];
    const { project, clients } = await makeMember(async (user, project) => {
      for (const group of groups) await suite.change(204, 'PUT', `${GROUPS}/${group.id}/users/${user.id}`);
      await suite.assign({ group_id: groups[0]?.id ?? '' }, project.id, memberId);
      await suite.assign({ group_id: groups[1]?.id ?? '' }, project.id, adminId);
    });
    await assertStatus(clients, ROLES, 200);

    await suite.revoke({ group_id: groups[1]?.id ?? '' }, project.id, adminId);

    await untilStatus(clients, ROLES, 403);
    await untilStatus(clients, '/api/auth/me', 200);

    await suite.change(204, 'DELETE', `${GROUPS}/${groups[0]?.id}`);

    await untilStatus(clients, '/api/auth/me', 401);
  });

  it('is renewed everywhere for a user who gets or loses a role', async () => {
    const [memberId, adminId] = [await suite.roleId('member'), await suite.roleId('admin')];
    const { user, project, clients } = await makeMember((user, project) =>
      suite.assign({ user_id: user.id }, project.id, memberId),
    );
    await assertStatus(clients, ROLES, 403);

    await suite.assign({ user_id: user.id }, project.id, adminId);
    await untilStatus(clients, ROLES, 200);

    await suite.revoke({ user_id: user.id }, project.id, adminId);
    await untilStatus(clients, ROLES, 403);
    await suite.revoke({ user_id: user.id }, project.id, memberId);
    await untilStatus(clients, '/api/auth/me', 401);
  });

  for (const [change, body] of [
    ['is disabled', { enabled: false }],
    ['gets another password', { password: 'another-secret-1' }],
  ] as const) {
    it(`ends everywhere for a user who ${change}`, async () => {
      const roleId = await suite.roleId('member');
      const { user, clients } = await makeMember((user, project) =>
        suite.assign({ user_id: user.id }, project.id, roleId),
      );

      await suite.change(200, 'PATCH', `${USERS}/${user.id}`, body);

      await untilStatus(clients, '/api/auth/me', 401);
    });
  }

  it('ends everywhere for deleted users, and members of disabled projects', async () => {
    const roleId = await suite.roleId('member');
    const grant = (user: User, project: AdminProject) =>
      suite.assign({ user_id: user.id }, project.id, roleId);
    const [deleted, disabled] = [await makeMember(grant), await makeMember(grant)];

    await suite.change(204, 'DELETE', `${USERS}/${deleted.user.id}`);
    await suite.change(200, 'PATCH', `${PROJECTS}/${disabled.project.id}`, { enabled: false });

    await untilStatus(deleted.clients, '/api/auth/me', 401);
    await untilStatus(disabled.clients, '/api/auth/me', 401);
  });
});
