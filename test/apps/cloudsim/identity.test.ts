import assert from 'node:assert/strict';
import { type Client, signIn, startTestCloud, type TestCloud } from './client.ts';

const TOKENS = '/identity/v3/auth/tokens';

describe('simulated identity service', () => {
  let cloud: TestCloud;
  let demo: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
  });
  afterEach(() => cloud.close());

  it('issues a token for a password, with roles and a catalog', async () => {
    const { status, body, headers } = await cloud.call('POST', TOKENS, signIn('demo', 'demo-secret', 'demo'));

    assert.equal(status, 201);
    assert.ok(headers.get('x-subject-token'));
    assert.deepEqual(body.token.roles.map((role: { name: string }) => role.name).sort(), [
      'member',
      'reader',
    ]);
    const volume = body.token.catalog.find((entry: { type: string }) => entry.type === 'volumev3');
    assert.ok(volume.endpoints[0].url.endsWith(`/volume/v3/${demo.projectId}`));
  });

  it('does not distinguish wrong passwords, unknown users and other projects', async () => {
    const refused = await Promise.all([
      cloud.call('POST', TOKENS, signIn('demo', 'wrong', 'demo')),
      cloud.call('POST', TOKENS, signIn('nobody', 'demo-secret', 'demo')),
      cloud.call('POST', TOKENS, signIn('demo', 'demo-secret', 'alice')),
    ]);

    for (const { status, body } of refused) {
      assert.equal(status, 401);
      assert.equal(body.error.message, 'The request you have made requires authentication.');
    }
  });

  it('ignores case, accents and trailing spaces in names', async () => {
    const logIn = (name: string) => cloud.call('POST', TOKENS, signIn(name, 'demo-secret', 'demo'));
    const same = await Promise.all(['DEMO', 'demo  ', 'd\u00e9mo'].map(logIn));
    const others = await Promise.all([' demo', 'demo\t', 'de\u0301mo', '\uff44emo'].map(logIn));

    for (const { status, body } of same) assert.deepEqual([status, body.token.user.name], [201, 'demo']);
    for (const { status } of others) assert.equal(status, 401);
  });

  it("inherits the first token's audit id, and revokes tokens separately", async () => {
    const rescoped = async (id: string) => {
      const identity = { methods: ['token'], token: { id } };
      const scope = { project: { id: demo.projectId } };
      const { body, headers } = await cloud.call('POST', TOKENS, { auth: { identity, scope } });
      return { token: headers.get('x-subject-token') ?? '', auditIds: body.token.audit_ids as string[] };
    };
    const own = (token: string) => ({ 'X-Auth-Token': token, 'X-Subject-Token': token });
    const first = await demo.call('GET', TOKENS, undefined, own(demo.token));
    const second = await rescoped(demo.token);
    const third = await rescoped(second.token);

    const revoked = await cloud.call('DELETE', TOKENS, undefined, own(demo.token));

    const [root] = first.body.token.audit_ids;
    assert.deepEqual(first.body.token.audit_ids, [root]);
    assert.deepEqual([second.auditIds[1], third.auditIds[1]], [root, root]);
    assert.equal(new Set([root, second.auditIds[0], third.auditIds[0]]).size, 3);
    assert.equal(revoked.status, 204);
    const statuses = [];
    for (const token of [demo.token, second.token, third.token])
      statuses.push((await cloud.call('GET', TOKENS, undefined, own(token))).status);
    assert.deepEqual(statuses, [401, 200, 200]);
  });

  it('invalidates a token for a project once the role there is removed', async () => {
    const admin = await cloud.as('admin');
    const roles = await admin.call('GET', '/identity/v3/roles?name=member');
    const grant = `/identity/v3/projects/${demo.projectId}/users/${demo.userId}/roles/${roles.body.roles[0].id}`;

    assert.equal((await admin.call('DELETE', grant)).status, 204);
    assert.equal((await demo.call('GET', '/compute/v2.1/servers')).status, 401);
    assert.equal((await admin.call('PUT', grant)).status, 204);
    assert.equal((await demo.call('GET', '/compute/v2.1/servers')).status, 200);
  });

  it('issues an unscoped token to a user without a default project', async () => {
    const { body } = await cloud.call('POST', TOKENS, signIn('demo', 'demo-secret'));

    assert.equal(body.token.project, undefined);
    assert.equal(body.token.catalog, undefined);
  });

  it('issues a token for another project, with the same expiry', async () => {
    cloud.clock.advance(60_000);
    const identity = { methods: ['token'], token: { id: demo.token } };
    const scope = { project: { name: 'demo2', domain: { id: 'default' } } };

    const { status, body } = await cloud.call('POST', TOKENS, { auth: { identity, scope } });

    assert.equal(status, 201);
    assert.equal(body.token.project.name, 'demo2');
    assert.equal(body.token.expires_at, '2026-01-01T04:00:00.000000Z');
    assert.deepEqual(body.token.methods, ['password', 'token']);
  });

  it('does not accept an expired token, and neither do other services', async () => {
    cloud.clock.advance(14_400_001);

    const own = await demo.call('GET', TOKENS, undefined, { 'X-Subject-Token': demo.token });
    const servers = await demo.call('GET', '/compute/v2.1/servers');

    assert.equal(own.status, 401);
    assert.equal(servers.status, 401);
    assert.match(servers.headers.get('www-authenticate') ?? '', /^Keystone uri=/);
  });

  it('lets administrators read any token, and members only their own', async () => {
    const admin = await cloud.as('admin');
    const subject = (token: string) => ({ 'X-Subject-Token': token });

    const answers = [
      await demo.call('GET', TOKENS, undefined, subject(demo.token)),
      await admin.call('GET', TOKENS, undefined, subject(demo.token)),
      await demo.call('GET', TOKENS, undefined, subject(admin.token)),
      await demo.call('GET', TOKENS, undefined, subject('unknown')),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 403, 404],
    );
  });

  it('revokes all tokens of a user whose password changes', async () => {
    const path = `/identity/v3/users/${demo.userId}/password`;
    const wrong = { user: { original_password: 'wrong', password: 'new' } };
    const right = { user: { original_password: 'demo-secret', password: 'new' } };

    assert.equal((await demo.call('POST', path, wrong)).status, 401);
    assert.equal((await demo.call('POST', path, right)).status, 204);
    assert.equal((await demo.call('GET', '/identity/v3/auth/projects')).status, 401);
    assert.equal((await cloud.call('POST', TOKENS, signIn('demo', 'new', 'demo'))).status, 201);
  });

  it('rejects a password that violates the policy, with its message', async () => {
    const passwordPolicy = { regex: '^.{12,}$', description: 'at least 12 characters' };
    await cloud.call('POST', '/_control/settings', { passwordPolicy });

    const { status, body } = await demo.call('POST', `/identity/v3/users/${demo.userId}/password`, {
      user: { original_password: 'demo-secret', password: 'short' },
    });

    assert.equal(status, 400);
    assert.match(body.error.message, /does not match the requirements: at least 12 characters/);
  });

  it('revokes the access that a trust grants when the trust is deleted', async () => {
    const gateway = await cloud.as('gateway', 'service');
    const made = await demo.call('POST', '/identity/v3/OS-TRUST/trusts', {
      trust: {
        trustor_user_id: demo.userId,
        trustee_user_id: gateway.userId,
        project_id: demo.projectId,
        impersonation: true,
        roles: [{ name: 'member' }],
      },
    });
    const { id } = made.body.trust;
    const { auth } = signIn('gateway', 'gateway-secret') as { auth: object };
    const delegated = { auth: { ...auth, scope: { 'OS-TRUST:trust': { id } } } };

    const before = await cloud.call('POST', TOKENS, delegated);
    await demo.call('DELETE', `/identity/v3/OS-TRUST/trusts/${id}`);
    const after = await cloud.call('POST', TOKENS, delegated);
    const token = { 'X-Auth-Token': before.headers.get('x-subject-token') ?? '' };
    const use = await cloud.call('GET', '/compute/v2.1/servers', undefined, token);

    assert.equal(before.body.token.user.name, 'demo');
    assert.equal(after.status, 401);
    assert.equal(use.status, 401);
  });

  it('lists effective roles: by groups, and those that a role implies', async () => {
    const admin = await cloud.as('admin');
    const identity = (method: string, path: string, body?: object) =>
      admin.call(method, `/identity/v3${path}`, body);
    const { body: made } = await identity('POST', '/projects', { project: { name: 'effective' } });
    const { body: group } = await identity('POST', '/groups', { group: { name: 'effective' } });
    const { body: roles } = await identity('GET', '/roles?name=member');
    await identity('PUT', `/groups/${group.group.id}/users/${demo.userId}`);
    const [{ id: roleId }] = roles.roles;
    await identity('PUT', `/projects/${made.project.id}/groups/${group.group.id}/roles/${roleId}`);
    const scope = `scope.project.id=${made.project.id}`;

    const effective = await identity('GET', `/role_assignments?${scope}&effective=true`);
    const direct = await identity('GET', `/role_assignments?${scope}`);

    type Row = { user?: { id: string }; group?: { id: string } };
    assert.deepEqual(
      effective.body.role_assignments.map(({ user }: Row) => user?.id),
      [demo.userId, demo.userId],
    );
    assert.deepEqual(
      direct.body.role_assignments.map(({ user, group }: Row) => [user?.id, group?.id]),
      [[undefined, group.group.id]],
    );
  });

  it('reads, changes and deletes a domain under its id as a project', async () => {
    const admin = await cloud.as('admin');
    const identity = (method: string, path: string, body?: object) =>
      admin.call(method, `/identity/v3${path}`, body);
    const { body: made } = await identity('POST', '/domains', { domain: { name: 'acting' } });
    const { id } = made.domain;
    const { body: inside } = await identity('POST', '/projects', { project: { name: 'in', domain_id: id } });

    const shown = (await identity('GET', `/projects/${id}`)).body.project;
    const listed = (await identity('GET', '/projects')).body.projects;
    const enabled = await identity('DELETE', `/projects/${id}`);
    const disabled = await identity('PATCH', `/projects/${id}`, { project: { enabled: false } });
    const domain = (await identity('GET', `/domains/${id}`)).body.domain;
    const removed = await identity('DELETE', `/projects/${id}`);

    const { domain_id, is_domain, name, parent_id } = shown;
    assert.deepEqual([name, is_domain, domain_id, parent_id], ['acting', true, null, null]);
    assert.ok(!listed.some((project: { id: string }) => project.id === id));
    assert.deepEqual([enabled.status, disabled.status, domain.enabled], [403, 200, false]);
    assert.equal(removed.status, 204);
    for (const path of [`/projects/${id}`, `/domains/${id}`, `/projects/${inside.project.id}`])
      assert.equal((await identity('GET', path)).status, 404, path);
  });

  it('revokes a role of one who is gone, and assigns none', async () => {
    const admin = await cloud.as('admin');
    const roles = await admin.call('GET', '/identity/v3/roles?name=member');
    const of = (holder: string) =>
      `/identity/v3/projects/${demo.projectId}/${holder}/gone/roles/${roles.body.roles[0].id}`;
    const messages = async (method: string) =>
      Promise.all(
        ['users', 'groups'].map(async (holder) => (await admin.call(method, of(holder))).body.error.message),
      );

    assert.deepEqual(await messages('PUT'), ['Could not find user: gone.', 'Could not find group: gone.']);
    for (const message of await messages('DELETE')) assert.match(message, /^Could not find role assignment/);
  });

  it('keeps a project with others below it, and disables those first', async () => {
    const admin = await cloud.as('admin');
    const projects = (method: string, path = '', project?: object) =>
      admin.call(method, `/identity/v3/projects${path}`, project && { project });
    const parent = (await projects('POST', '', { name: 'parent' })).body.project;
    const child = (await projects('POST', '', { name: 'child', parent_id: parent.id })).body.project;
    const change = async (id: string, enabled: boolean) =>
      (await projects('PATCH', `/${id}`, { enabled })).status;

    assert.deepEqual([parent.parent_id, child.parent_id], ['default', parent.id]);
    const listed = (await projects('GET', `?parent_id=${parent.id}`)).body.projects;
    assert.deepEqual([listed.length, listed[0].id], [1, child.id]);
    assert.equal(await change(parent.id, false), 403);
    assert.deepEqual([await change(child.id, false), await change(parent.id, false)], [200, 200]);
    assert.equal(await change(child.id, true), 403);
    assert.equal((await projects('POST', '', { name: 'late', parent_id: parent.id })).status, 400);
    assert.match(
      (await projects('DELETE', `/${parent.id}`)).body.error.message,
      /not a leaf in the hierarchy/,
    );
    assert.equal((await projects('DELETE', `/${child.id}`)).status, 204);
    assert.equal((await projects('DELETE', `/${parent.id}`)).status, 204);
  });

  it('refuses names that another user, group or project has, and unknown domains', async () => {
    const admin = await cloud.as('admin');
    for (const [kind, taken] of [
      ['user', 'DEMO'],
      ['group', 'Staff'],
      ['project', 'Demo'],
    ]) {
      const path = `/identity/v3/${kind}s`;
      const again = await admin.call('POST', path, { [`${kind}`]: { name: taken } });
      assert.equal(again.status, 409, kind);
    }
    for (const kind of ['user', 'group']) {
      const body = { [kind]: { name: 'new', domain_id: 'nowhere' } };
      assert.equal((await admin.call('POST', `/identity/v3/${kind}s`, body)).status, 404, kind);
    }
  });
});
