import assert from 'node:assert/strict';
import { newCaller } from '../../support/api/factories.ts';
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

    const { text } = await api.get('/api/docs', { headers: byProxy });

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

  for (const { how, headers, session } of [
    {
      how: 'plain HTTP',
      headers: byProxy,
      session: /^gateway_session=[^;]+; Path=\/gw\/api; HttpOnly/,
    },
    {
      how: 'TLS',
      headers: { ...byProxy, 'x-forwarded-proto': 'https' },
      session: /^__Host-gateway_session-gw=[^;]+; Path=\/; HttpOnly; Secure/,
    },
  ]) {
    it(`has cookies that browsers send it over ${how}`, async () => {
      const api = await suite.start({ settings: { http, session: { cookies: true } } });
      suite.cloud.acceptsLogIn(newCaller());

      const body = { username: 'demo', password: 'demo-secret', use_cookie: true };
      const logIn = await api.post('/api/auth/login', { body, headers });

      const cookie = logIn.headers['set-cookie']?.[0] ?? '';
      assert.match(cookie, session);
      const send = { ...headers, cookie: cookie.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' };
      assert.equal((await api.get('/api/auth/me', { headers: send })).status, 200);
    });
  }

  it("has the operators' page below it", async () => {
    const api = await suite.start({ settings: { http, ops: { enabled: true } } });

    for (const path of ['/ops', '/ops/jobs']) {
      const { text } = await api.get(path, { headers: byProxy });
      assert.match(text, /<base href="\/gw\/ops\/">/);
      assert.doesNotMatch(text.replace(/<base[^>]*>/, ''), /(?:href|src|action)="\//);
    }
  });
});
