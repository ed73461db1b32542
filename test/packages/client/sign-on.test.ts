import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { GatewayClient } from '../../../packages/client/src/index.ts';
import { json, StreamServer } from './stream-server.ts';

/** The part of a browser's page that the client uses. */
class FakePage {
  readonly stored = new Map<string, string>();
  readonly location = {
    origin: 'https://dashboard.example.org',
    pathname: '/signed-in',
    search: '?tab=1',
    hash: '',
    left: '',
    assign(address: string): void {
      this.left = address;
    },
  };
  readonly history = {
    state: { kept: true },
    replaced: [] as unknown[],
    replaceState: this.#replace.bind(this),
  };
  readonly sessionStorage = {
    getItem: (key: string) => this.stored.get(key) ?? null,
    setItem: (key: string, value: string) => this.stored.set(key, value),
    removeItem: (key: string) => this.stored.delete(key),
  };

  #replace(...given: unknown[]): void {
    this.history.replaced.push(given);
  }
}

const GLOBALS = ['location', 'history', 'sessionStorage'] as const;

describe('the single sign-on of the client', () => {
  let server: StreamServer;
  let page: FakePage;
  const before: [string, PropertyDescriptor | undefined][] = [];

  beforeEach(() => {
    server = new StreamServer();
    page = new FakePage();
    for (const name of GLOBALS) {
      before.push([name, Object.getOwnPropertyDescriptor(globalThis, name)]);
      Object.defineProperty(globalThis, name, { value: page[name], configurable: true, writable: true });
    }
  });

  afterEach(async () => {
    for (const [name, descriptor] of before.splice(0)) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
    await server.stop();
  });

  it('leaves with a challenge, and returns with its verifier', async () => {
    const url = await server.start(json(200, { token: 'token-1', project_id: 'project-1' }));
    await new GatewayClient({ url }).beginSignOn('company');
    const left = new URL(page.location.left);
    assert.equal(`${left.origin}${left.pathname}`, `${url}/api/auth/sso/company`);
    assert.equal(left.searchParams.get('origin'), 'https://dashboard.example.org');

    page.location.hash = '#code=the-code';
    const client = new GatewayClient({ url });
    const session = await client.completeSignOn();

    const { code, verifier } = JSON.parse(server.seen[0]?.body ?? '') as Record<string, string>;
    assert.equal(server.seen[0]?.line, 'POST /api/auth/exchange');
    assert.equal(code, 'the-code');
    const challenge = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url');
    assert.equal(left.searchParams.get('challenge'), challenge);
    assert.deepEqual([session?.token, client.credentials?.projectId], ['token-1', 'project-1']);
    assert.deepEqual(page.history.replaced, [[{ kept: true }, '', '/signed-in?tab=1']]);
    assert.equal(page.stored.size, 0);
  });

  it('leaves the token in a cookie on request', async () => {
    const url = await server.start(json(200, { token: '', project_id: 'project-1' }), json(200, []));
    page.stored.set('gateway-sign-on', 'the-verifier');
    page.location.hash = '#code=the-code';
    const client = new GatewayClient({ url });

    await client.completeSignOn({ use_cookie: true });
    await client.request('GET /api/auth/projects');

    const [exchange, next] = server.seen;
    assert.deepEqual(JSON.parse(exchange?.body ?? ''), {
      code: 'the-code',
      verifier: 'the-verifier',
      use_cookie: true,
    });
    assert.equal(next?.headers['x-gateway-csrf'], '1');
    assert.equal(next?.headers['x-auth-token'], undefined);
  });

  it('has nothing to complete without a code, or one that it began', async () => {
    const url = await server.start();
    const client = new GatewayClient({ url });

    assert.equal(await client.completeSignOn(), null);
    page.location.hash = '#code=of-another-site';
    assert.equal(await client.completeSignOn(), null);

    assert.deepEqual(server.seen, []);
  });
});
