import assert from 'node:assert/strict';
import type { GroupRecord, RoleRecord, UserRecord } from '@gateway/openstack';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

const GROUPS = '/api/admin/groups';
/** Shorter than a token is cached. */
const TOLD_WITHIN_MS = 5_000;
const ROLES = '/api/admin/roles';
const group = fixtureBody<GroupRecord>('identity/group-create', 'group');
const member = fixtureBody<UserRecord[]>('identity/group-users', 'users')[0] as UserRecord;
const { path: grantPath } = fixture('identity/grant').request;
const [, projectId = '', roleId = ''] = /projects\/(\w+)\/groups\/\w+\/roles\/(\w+)/.exec(grantPath) ?? [];

describe('groups and roles of administrators', () => {
  const suite = apiSuite();

  it('are cached lists, sorted by name, which refresh=true reads anew', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const groups = ['b', 'a'].map((name) => ({ ...group, id: name, name, description: null }));
    suite.cloud
      .reply('identity/groups', { body: { groups }, times: 2 })
      .reply('identity/domains', { times: 2 })
      .reply('identity/roles');

    const { body } = await api.get(GROUPS, { as: admin });
    await api.get(GROUPS, { as: admin });
    const again = await api.get(`${GROUPS}?refresh=true`, { as: admin });
    const roles = await api.get<RoleRecord[]>(ROLES, { as: admin });
    await api.get(ROLES, { as: admin });

    assert.deepEqual(body, [
      { id: 'a', name: 'a', description: '', domain_id: group.domain_id, domain_name: 'Default' },
      { id: 'b', name: 'b', description: '', domain_id: group.domain_id, domain_name: 'Default' },
    ]);
    assert.deepEqual(again.body, body);
    assert.ok(again.headers.etag);
    const member = roles.body.find(({ name }) => name === 'member');
    assert.deepEqual(member, { id: member?.id, name: 'member', domain_id: null, domain_name: null });
  });

  it('are searched by the identity service, past the cache', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const query = 'domain_id=physics&name__icontains=tea&limit=1000';
    const path = `/v3/groups?${query}`;
    suite.cloud.reply('identity/groups', {
      path,
      body: { groups: [{ ...group, name: 'teachers', domain_id: 'physics' }] },
      times: 2,
    });

    const first = await api.get<GroupRecord[]>(`${GROUPS}?name=tea&domain_id=physics`, { as: admin });
    const second = await api.get<GroupRecord[]>(`${GROUPS}?name=tea&domain_id=physics`, { as: admin });

    for (const { body, status } of [first, second]) {
      assert.deepEqual([status, body.map(({ id }) => id)], [200, [group.id]]);
    }
  });

  it('respond assigned and revoked, and invalidate group members in every process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'], userId: 'administrator' }));
    const second = { ...member, id: 'second-member' };
    const members = { users: [member, second] };
    const query = `?group_id=${group.id}&project_id=${projectId}&role_id=${roleId}`;
    const requests = [
      () => {
        replyProject(projectId);
        suite.cloud.reply('identity/grant');
        const body = { group_id: group.id, project_id: projectId, role_id: roleId };
        return api.post(`${ROLES}/assign-group`, { as: admin, body });
      },
      () => {
        replyProject(projectId);
        suite.cloud.reply('identity/grant', { method: 'DELETE' });
        return api.request('DELETE', `${ROLES}/assign-group${query}`, { as: admin });
      },
      () => {
        suite.cloud.reply('identity/group-create', {
          method: 'DELETE',
          path: `/v3/groups/${group.id}`,
          status: 204,
          body: '',
        });
        return api.request('DELETE', `${GROUPS}/${group.id}`, { as: admin });
      },
    ];
    const bodies = [];
    for (const request of requests) {
      const callers = members.users.map(({ id }) => newCaller({ userId: id }));
      for (const caller of callers) {
        suite.cloud.acceptsToken(caller);
        await other.get('/api/auth/me', { as: caller });
      }
      suite.cloud.reply('identity/group-users', { body: members });

      bodies.push((await request()).body);

      for (const caller of callers) {
        suite.cloud.rejectsToken(caller.token);
        // The other process gets the invalidation a moment later.
        await eventually(async () => {
          assert.equal((await other.get('/api/auth/me', { as: caller })).status, 401);
          return true;
        }, TOLD_WITHIN_MS);
      }
    }
    assert.deepEqual(bodies, [{ status: 'assigned' }, { status: 'revoked' }, undefined]);
  });

  it('are 404 for an unknown member and a role without a grant', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    suite.cloud.reply('identity/group-member-missing').reply('identity/grant-missing');
    const missing = fixture('identity/grant-missing').request.path;
    const [, project, user, role] =
      /projects\/(\w+)\/users\/(\w+)\/roles\/(\w+)/.exec(missing) ?? assert.fail(missing);
    replyProject(project);
    const [, groupId, userId] =
      /groups\/(\w+)\/users\/(\w+)/.exec(fixture('identity/group-member-missing').request.path) ?? [];

    for (const path of [
      `${GROUPS}/${groupId}/users/${userId}`,
      `${ROLES}/assign?user_id=${user}&project_id=${project}&role_id=${role}`,
    ]) {
      const answer = await api.request<ErrorBody>('DELETE', path, { as: admin });
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
    }
  });

  it('refuse incomplete and malformed ids before any call', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    for (const [method, path, body] of [
      ['POST', GROUPS, {}],
      ['POST', GROUPS, { name: 'x'.repeat(65) }],
      ['PATCH', `${GROUPS}/g`, { name: '' }],
      ['POST', `${ROLES}/assign`, { user_id: 'u', project_id: 'p' }],
      ['POST', `${ROLES}/assign`, { user_id: '../u', project_id: 'p', role_id: 'r' }],
      ['POST', `${ROLES}/assign-group`, { user_id: 'u', project_id: 'p', role_id: 'r' }],
      ['DELETE', `${ROLES}/assign?user_id=u&project_id=p`, undefined],
      ['DELETE', `${ROLES}/assign-group?user_id=u&project_id=p&role_id=r`, undefined],
      ['PUT', `${GROUPS}/g/users/a%2Fb`, undefined],
    ] as const) {
      const answer = await api.request(method, path, { as: admin, body });
      assert.equal(answer.status, 400, `${method} ${path}`);
    }
  });

  /** A role is changed only in what the identity service knows as a project. */
  function replyProject(id = ''): void {
    const found = { ...fixtureBody<object>('identity/project', 'project'), id };
    suite.cloud.reply('identity/project', { path: `/v3/projects/${id}`, body: { project: found } });
  }
});
