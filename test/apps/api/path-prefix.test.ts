import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { newCaller } from '../../support/api/factories.ts';
import { fromPage, operatorLogIn, visit } from '../../support/api/operator.ts';
import { apiSuite } from '../../support/api/suite.ts';

const http = { trusted_proxies: ['loopback'] };
const byProxy = { 'x-forwarded-prefix': '/gw' };

describe('a gateway below a path of its host', () => {
  const suite = apiSuite();

  /** The first server of the document for a request with these headers. */
  async function serverFor(settings: Record<string, object>, headers = {}): Promise<string> {
    const api = await suite.start({ settings: settings as never });
    const { body } = await api.get<{ servers: { url: string }[] }>('/api/openapi.json', { headers });
    return body.servers.map(({ url }) => url).join();
  }

  it('is the server of the document', async () => {
    const url = 'https://cloud.example.org/public/';

    assert.equal(await serverFor({ http }, byProxy), '/gw');
    assert.equal(await serverFor({ http }, { 'x-forwarded-prefix': '/gw/v-1.2/' }), '/gw/v-1.2');
    assert.equal(await serverFor({ public_endpoint: { url } }), '/public');
    assert.equal(await serverFor({ http, public_endpoint: { url } }, byProxy), '/gw');
    assert.equal(await serverFor({ http }), '/');
  });

  it('takes the prefix of trusted proxies only, and only a path', async () => {
    assert.equal(await serverFor({}, byProxy), '/');
    for (const prefix of [
      'gw',
      '//evil.example',
      '/gw"><script>',
      '/a/../b',
      '/a b',
      '/%2e',
      'https://evil',
    ]) {
      assert.equal(await serverFor({ http }, { 'x-forwarded-prefix': prefix }), '/', prefix);
    }
  });

  it('has the files of its documentation below it', async () => {
    const api = await suite.start({ settings: { http } });

    const { text } = await visit(api, 'GET', '/api/docs', { headers: byProxy });

    const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
    assert.ok(addresses.length > 4);
    assert.ok(
      addresses.every((address) => address.startsWith('/gw/api/docs/')),
      addresses.join(),
    );
  });

  it('names a job below it', async () => {
    const api = await suite.start({ settings: { http } });
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.post<{ id: string }>('/api/volumes', {
      as: caller,
      body: { name: 'data', size_gb: 1 },
      headers: { ...byProxy, prefer: 'respond-async' },
    });

    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.location, `/gw/api/jobs/${answer.body.id}`);
  });

  for (const { how, headers, session, operator } of [
    {
      how: 'plain HTTP',
      headers: byProxy,
      session: /^gateway_session=[^;]+; Path=\/gw\/api; HttpOnly/,
      operator: /^gateway_ops=[^;]+; Path=\/gw\/ops; HttpOnly/,
    },
    {
      how: 'TLS',
      headers: { ...byProxy, 'x-forwarded-proto': 'https' },
      session: /^__Host-gateway_session-gw=[^;]+; Path=\/; HttpOnly; Secure/,
      operator: /^__Host-gateway_ops-gw=[^;]+; Path=\/; HttpOnly; Secure/,
    },
  ]) {
    it(`has cookies that browsers send it over ${how}`, async () => {
      const settings = { http, session: { cookies: true }, ops: { enabled: true } };
      const api = await suite.start({ settings });
      suite.cloud.acceptsLogIn(newCaller({ roles: ['admin'] }));
      suite.cloud.acceptsLogIn(newCaller({ roles: ['admin'] }));

      const body = { username: 'demo', password: 'demo-secret', use_cookie: true };
      const logIn = await api.post('/api/auth/login', { body, headers });
      const operators = await visit(api, 'POST', '/ops/login', {
        form: operatorLogIn,
        headers: { ...fromPage, ...headers },
      });

      const cookieOf = (one: { headers: IncomingHttpHeaders }) => one.headers['set-cookie']?.[0] ?? '';
      const [ofSession, ofOperator] = [cookieOf(logIn), cookieOf(operators)];
      assert.match(ofSession, session);
      assert.match(ofOperator, operator);
      const send = { ...headers, cookie: ofSession.split(';')[0] ?? '', ...fromPage };
      assert.equal((await api.get('/api/auth/me', { headers: send })).status, 200);
      const page = await visit(api, 'GET', '/ops', { headers, cookie: ofOperator.split(';')[0] ?? '' });
      assert.equal(page.status, 200);
    });
  }

  it("has the operators' page below it", async () => {
    const api = await suite.start({ settings: { http, ops: { enabled: true } } });

    const logIn = await visit(api, 'GET', '/ops/login', { headers: byProxy });
    const redirected = await visit(api, 'GET', '/ops', { headers: byProxy });

    assert.match(logIn.text, /action="\/gw\/ops\/login"/);
    assert.match(logIn.text, /href="\/gw\/ops\/assets\/ops\.css"/);
    assert.doesNotMatch(logIn.text, /"\/ops/);
    assert.equal(redirected.headers.location, '/gw/ops/login');
  });
});
