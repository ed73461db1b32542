import assert from 'node:assert/strict';
import { type ApiResponse, type Client, startTestCloud, type TestCloud } from './client.ts';

const TOKENS = '/identity/v3/auth/tokens';
const BY_PROTOCOL = '/identity/v3/auth/OS-FEDERATION/websso/openid';
const BY_PROVIDER = '/identity/v3/auth/OS-FEDERATION/identity_providers/testidp/protocols/openid/websso';
const CALLBACK = 'http://127.0.0.1:8000/callback';

describe('simulated single sign-on', () => {
  let cloud: TestCloud;
  let demo: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    await set({ trustedDashboards: [CALLBACK] });
  });
  afterEach(() => cloud.close());

  function set(settings: object): Promise<ApiResponse> {
    return cloud.call('POST', '/_control/settings', settings);
  }

  function send(person: string, page = BY_PROVIDER, origin = CALLBACK): Promise<ApiResponse> {
    return cloud.call('POST', `${page}?origin=${encodeURIComponent(origin)}`, `sub=${person}`);
  }

  async function tokenOf(person: string, page?: string): Promise<string> {
    const { body } = await send(person, page);
    assert.match(body, new RegExp(`action="${CALLBACK}"`));
    return /name="token" id="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
  }

  function rescope(token: string, projectId: string): Promise<ApiResponse> {
    const identity = { methods: ['token'], token: { id: token } };
    return cloud.call('POST', TOKENS, { auth: { identity, scope: { project: { id: projectId } } } });
  }

  async function validate(token: string): Promise<ApiResponse> {
    return cloud.call('GET', TOKENS, undefined, { 'X-Auth-Token': token, 'X-Subject-Token': token });
  }

  function delegate(token: string, userId: string): Promise<ApiResponse> {
    const trust = {
      trustor_user_id: userId,
      trustee_user_id: demo.userId,
      project_id: demo.projectId,
      impersonation: true,
      roles: [{ name: 'member' }],
    };
    return cloud.call('POST', '/identity/v3/OS-TRUST/trusts', { trust }, { 'X-Auth-Token': token });
  }

  it('asks who is there, and sends a token without a project', async () => {
    for (const page of [BY_PROTOCOL, BY_PROVIDER]) {
      assert.match((await cloud.call('GET', `${page}?origin=x`)).body, /name="sub"/);
      const { body } = await validate(await tokenOf('erin', page));

      assert.deepEqual([body.token.project, body.token.user.name], [undefined, 'erin']);
      const { groups, identity_provider, protocol } = body.token.user['OS-FEDERATION'];
      assert.deepEqual([groups.length, identity_provider.id, protocol.id], [1, 'testidp', 'openid']);
      assert.equal('password_expires_at' in body.token.user, false);
    }
  });

  it('sends tokens to trusted dashboards only', async () => {
    assert.equal((await send('erin', BY_PROVIDER, 'http://evil.example')).status, 401);
    assert.equal((await send('erin', BY_PROVIDER, '')).status, 400);
  });

  it('refuses people whom no rule maps, and unknown providers', async () => {
    assert.equal((await send('grace')).status, 401);
    assert.equal((await send('nobody')).status, 401);
    assert.equal((await send('erin', BY_PROVIDER.replace('testidp', 'other'))).status, 404);
    assert.equal((await send('erin', BY_PROTOCOL.replace('openid', 'saml2'))).status, 401);
  });

  it('gives tokens the roles of groups, and a chain each', async () => {
    const token = await tokenOf('erin');
    const projects = await cloud.call('GET', '/identity/v3/auth/projects', undefined, {
      'X-Auth-Token': token,
    });
    assert.deepEqual(
      projects.body.projects.map(({ name }: { name: string }) => name),
      ['demo'],
    );

    const scoped = await rescope(token, demo.projectId);

    assert.equal(scoped.status, 201);
    assert.deepEqual(scoped.body.token.roles.map(({ name }: { name: string }) => name).sort(), [
      'member',
      'reader',
    ]);
    assert.equal(scoped.body.token.audit_ids.length, 1);
    const other = await cloud.as('alice');
    assert.equal((await rescope(token, other.projectId)).status, 401);
  });

  it('passes the roles on only if the groups are kept', async () => {
    const refused = await scopedUser();
    assert.equal((await delegate(refused.token, refused.userId)).status, 404);
    const credential = { application_credential: { name: 'one', roles: [{ name: 'member' }] } };
    const path = `/identity/v3/users/${refused.userId}/application_credentials`;
    const headers = { 'X-Auth-Token': refused.token };
    assert.equal((await cloud.call('POST', path, credential, headers)).status, 400);

    await set({ keepsMappedGroups: true });
    const kept = await scopedUser();

    assert.equal((await delegate(kept.token, kept.userId)).status, 201);
    assert.equal((await cloud.call('POST', path, credential, headers)).status, 201);
  });

  async function scopedUser(): Promise<{ token: string; userId: string }> {
    const { body, headers } = await rescope(await tokenOf('erin'), demo.projectId);
    return { token: headers.get('x-subject-token') ?? '', userId: body.token.user.id };
  }
});
