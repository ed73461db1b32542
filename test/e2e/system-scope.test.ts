import assert from 'node:assert/strict';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

/**
 * A token with the whole system as its scope, which the identity service gives to its first administrator.
 */
async function systemToken(identityUrl: string, who: 'admin' | 'demo'): Promise<string | null> {
  const { password, username: name } = testLogin(who);
  const user = { name, domain: { name: 'Default' }, password };
  const auth = {
    identity: { methods: ['password'], password: { user } },
    scope: { system: { all: true } },
  };
  const response = await fetch(`${identityUrl.replace(/\/v3\/?$/, '')}/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth }),
  });
  return response.headers.get('x-subject-token');
}

describe('a token of the whole system', function () {
  this.timeout(120_000);
  let suite: AdminStack;
  let token: string;

  before(async () => {
    suite = await AdminStack.start();
    token = (await systemToken(suite.stack.identityUrl ?? '', 'admin')) ?? '';
  });

  after(() => suite?.stop());

  const as = (projectId: string) => new GatewayClient(suite.stack.url, token, projectId);

  it('shows its user, and which projects there are for them', async () => {
    const send = async (path: string) => {
      const response = await fetch(`${suite.stack.url}${path}`, { headers: { 'x-auth-token': token } });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const me = await send('/api/auth/me');
    assert.deepEqual([me.status, me.body.username, me.body.project_id], [200, 'admin', '']);
    const { body } = await send('/api/auth/projects');
    assert.ok(JSON.stringify(body).includes(suite.admin.projectId));
    assert.equal((await send('/api/admin/users')).status, 400);
  });

  it('works for no project, and the error explains why', async () => {
    const { projectId } = suite.admin;
    for (const path of ['/api/instances', '/api/admin/users', '/api/admin/leftovers']) {
      const { status, body } = await as(projectId).request<{ code: string; detail: string }>('GET', path);
      assert.deepEqual([status, body.code], [403, 'forbidden'], path);
      assert.match(body.detail, /of the whole system/, path);
    }
    const { status, body } = await as('').request<{ detail: string }>('POST', '/api/auth/token', {
      project_id: projectId,
    });
    assert.equal(status, 403);
    assert.match(body.detail, /of the whole system/);
  });

  it("does not change the error for other users' foreign projects", async () => {
    assert.equal(await systemToken(suite.stack.identityUrl ?? '', 'demo'), null);
    const demo = await suite.logIn(testLogin('demo'));
    const foreign = new GatewayClient(suite.stack.url, demo.token, suite.admin.projectId);
    const { status, body } = await foreign.request<{ detail: string }>('GET', '/api/instances');
    assert.deepEqual([status, body.detail], [403, 'You have no access to this project.']);
  });
});
