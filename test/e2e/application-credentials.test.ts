import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Credential {
  id: string;
  secret: string;
}

const RULES = ['GET', 'DELETE'].map((method) => ({ service: 'compute', method, path: '/v2.1/servers/**' }));

describe('a token of an application credential', function () {
  this.timeout(120_000);
  let stack: Stack;
  let demo: GatewayClient;
  let userId: string;
  const made: string[] = [];

  before(async () => {
    stack = await startTestStack();
    demo = await GatewayClient.logIn(stack.url, testLogin('demo'));
    userId = (await demo.request<{ user_id: string }>('GET', '/api/auth/me')).body.user_id;
  });

  after(async () => {
    for (const id of made) await identity('DELETE', `/users/${userId}/application_credentials/${id}`);
    await stack?.stop();
  });

  function identity(method: string, path: string, body?: unknown): Promise<Response> {
    const base = (stack.identityUrl ?? '').replace(/\/v3\/?$/, '');
    return fetch(`${base}/v3${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-auth-token': demo.token },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async function tokenOf(kind: object): Promise<GatewayClient> {
    const name = `e2e-credential-${made.length}-${Date.now()}`;
    const path = `/users/${userId}/application_credentials`;
    const created = await identity('POST', path, {
      application_credential: { name, roles: [{ name: 'member' }], ...kind },
    });
    assert.equal(created.status, 201, await created.clone().text());
    const { application_credential: credential } = (await created.json()) as {
      application_credential: Credential;
    };
    made.push(credential.id);
    const { id, secret } = credential;
    const response = await identity('POST', '/auth/tokens', {
      auth: { identity: { methods: ['application_credential'], application_credential: { id, secret } } },
    });
    return new GatewayClient(stack.url, response.headers.get('x-subject-token') ?? '', demo.projectId);
  }

  it('is for the project of the credential, restricted or not', async () => {
    for (const kind of [{}, { unrestricted: true }]) {
      const program = await tokenOf(kind);
      assert.equal((await program.request('GET', '/api/instances')).status, 200);
      const me = await program.request<{ user_id: string }>('GET', '/api/auth/me');
      assert.equal(me.body.user_id, userId);
    }
  });

  it('is rejected with the reason if the credential has access rules', async () => {
    const program = await tokenOf({ access_rules: RULES });
    const requests = [
      ['GET', '/api/auth/me'],
      ['GET', '/api/instances'],
      ['GET', '/api/lite/clusters'],
      ['DELETE', '/api/lite/clusters/00000000-0000-4000-8000-000000000000'],
      ['POST', '/api/auth/token', { project_id: demo.projectId }],
      ['GET', '/api/instances'],
    ] as const;
    for (const [method, path, body] of requests) {
      const answer = await program.request<{ code: string; detail: string }>(method, path, body);
      assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized'], path);
      assert.match(answer.body.detail, /application credential with access rules/, path);
    }
  });
});
