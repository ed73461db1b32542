import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

describe('a session', function () {
  this.timeout(120_000);
  let stack: Stack;
  let tokensUrl: string;

  before(async () => {
    const config = { session: { token_cache_seconds: 2 }, rate_limits: { login_failures: 10 } };
    stack = await startTestStack({ apis: 2, config });
    tokensUrl = `${(stack.identityUrl ?? '').replace(/\/v3\/?$/, '')}/v3/auth/tokens`;
  });

  after(() => stack?.stop());

  /** Exchanges a token for another one of the same project, directly at the identity service. */
  async function exchange({ token, projectId, url }: GatewayClient): Promise<GatewayClient> {
    const identity = { methods: ['token'], token: { id: token } };
    const response = await fetch(tokensUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: { identity, scope: { project: { id: projectId } } } }),
    });
    assert.equal(response.status, 201);
    return new GatewayClient(url, response.headers.get('x-subject-token') ?? '', projectId);
  }

  async function isValid({ token }: GatewayClient): Promise<boolean> {
    const headers = { 'x-auth-token': token, 'x-subject-token': token };
    return (await fetch(tokensUrl, { headers })).status === 200;
  }

  async function assertEnded(gateway: GatewayClient): Promise<void> {
    const { body, status } = await gateway.request<{ code: string }>('GET', '/api/auth/me');
    assert.deepEqual([status, body.code], [401, 'session_expired']);
  }

  it('ends with a log-out, for all tokens derived from its own', async () => {
    const first = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const switched = await first.request<{ token: string }>('POST', '/api/auth/token', {
      project_id: first.projectId,
    });
    const second = new GatewayClient(stack.url, switched.body.token, first.projectId);
    const elsewhere = await exchange(second);

    const answer = await second.request('POST', '/api/auth/logout');

    assert.equal(answer.status, 204);
    assert.deepEqual(
      [await isValid(first), await isValid(second), await isValid(elsewhere)],
      [false, false, true],
    );
    for (const gateway of [first, second, elsewhere, await exchange(elsewhere)]) await assertEnded(gateway);
  });

  it('ends in another session, at every process and the identity service', async () => {
    const [firstUrl = '', secondUrl = ''] = stack.apis.map(({ url }) => url);
    const lost = await GatewayClient.logIn(firstUrl, testLogin('demo'));
    const forgotten = await GatewayClient.logIn(firstUrl, testLogin('demo'));
    const current = await GatewayClient.logIn(secondUrl, testLogin('demo'));
    const status = async (gateway: GatewayClient) => (await gateway.request('GET', '/api/auth/me')).status;
    for (const gateway of [lost, lost.at(secondUrl)]) assert.equal(await status(gateway), 200);
    const { body } = await lost.request<{ id: string; is_current: boolean }[]>('GET', '/api/auth/sessions');
    const id = body.find(({ is_current }) => is_current)?.id;

    const one = await current.request('DELETE', `/api/auth/sessions/${id}`);

    assert.equal(one.status, 204);
    await eventually(async () => (await status(lost)) === 401);
    await assertEnded(lost.at(secondUrl));
    assert.deepEqual([await isValid(lost), await isValid(forgotten)], [false, true]);

    const others = await current.request('DELETE', '/api/auth/sessions');

    assert.equal(others.status, 204);
    assert.deepEqual([await isValid(forgotten), await isValid(current)], [false, true]);
    const left = await current.request<unknown[]>('GET', '/api/auth/sessions');
    assert.equal(left.body.length, 1);
  });

  it('survives the log-out of another session', async () => {
    const first = await GatewayClient.logIn(stack.url, testLogin('demo'));
    await first.request('POST', '/api/auth/logout');
    const second = await GatewayClient.logIn(stack.url, testLogin('demo'));

    assert.equal((await second.request('GET', '/api/auth/me')).status, 200);
  });

  it('counts failed log-ins of one name in all its spellings', async () => {
    const { username, password } = testLogin('alice');
    const logIn = (name: string, secret: string) =>
      new GatewayClient(stack.url, '', '').request('POST', '/api/auth/login', {
        username: name,
        password: secret,
      });
    const spellings = [username.toUpperCase(), `${username} `, username.replace('a', '\u00e1')];

    const accepted = [];
    for (const name of spellings) accepted.push((await logIn(name, password)).status);
    const refused = [];
    for (let count = 0; count < 11; count += 1) {
      refused.push((await logIn(spellings[count % 3] ?? '', 'wrong')).status);
    }

    assert.deepEqual(accepted, [200, 200, 200]);
    assert.deepEqual(refused, [...Array.from({ length: 10 }, () => 401), 429]);
  });

  it('loses access within the configured time after the role is removed', async () => {
    const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    const demo = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const username = `e2e-${randomUUID()}`;
    const password = 'Passw0rd-for-a-while';
    const { user } = await admin.call<{ user: { id: string } }>('identity', 'POST', '/users', {
      user: { name: username, password, domain_id: 'default', enabled: true },
    });
    try {
      const { roles } = await admin.call<{ roles: { id: string }[] }>(
        'identity',
        'GET',
        '/roles?name=member',
      );
      const grant = `/projects/${demo.projectId}/users/${user.id}/roles/${roles[0]?.id}`;
      await admin.call('identity', 'PUT', grant);
      const login = { username, password, projectName: testLogin('demo').projectName };
      const gateway = await GatewayClient.logIn(stack.url, login);
      const before = (await gateway.request('GET', '/api/flavors')).status;
      await admin.call('identity', 'DELETE', grant);

      const after = await eventually(async () => {
        const { status } = await gateway.request('GET', '/api/flavors');
        return status === 200 ? undefined : status;
      });

      assert.deepEqual([before, after], [200, 401]);
    } finally {
      await admin.call('identity', 'DELETE', `/users/${user.id}`);
    }
  });
});
