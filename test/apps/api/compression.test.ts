import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { identityHeaders } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import type { Settings } from '../../support/api/settings.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
type Encoding = keyof typeof decoders;

function textOf({ headers, bytes }: RawResponse): string {
  const encoding = headers['content-encoding'];
  return (encoding === undefined ? bytes : decoders[encoding as Encoding](bytes)).toString();
}

describe('a compressed response', () => {
  const suite = apiSuite();
  let api: TestApi;
  let caller: TestCaller;

  beforeEach(() => begin());

  async function begin(settings: Settings = {}): Promise<void> {
    await api?.close();
    api = await suite.start({ settings });
    caller = newCaller();
  }

  /** The next request is the caller's first one. */
  function expectCaller(): typeof suite.cloud {
    suite.cloud.validCaller(caller);
    return suite.cloud;
  }

  async function get(
    path: string,
    headers: Record<string, string> = {},
    { port }: { port: number } = api,
    method = 'GET',
  ): Promise<RawResponse> {
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      method,
      path,
      agent: false,
      headers: { ...identityHeaders({ as: caller }), ...headers },
    });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) };
  }

  const accepting = (encoding: string) => ({ 'accept-encoding': encoding });

  /** A list that is long enough to be compressed. */
  function manyImages() {
    const [image] = fixtureBody<object[]>('image/images', 'images');
    const images = Array.from({ length: 50 }, (_, number) => ({ ...image, id: `image-${number}` }));
    return { body: { images } };
  }

  async function compressions(at: TestApi = api): Promise<string[]> {
    // In the first scrape, counters are 0.
    await at.get('/api/metrics');
    const { text } = await at.get('/api/metrics');
    return text.split('\n').filter((line) => line.startsWith('gateway_list_compressions_total{'));
  }

  it('of a list has the encoding that the client accepts and prefers', async () => {
    expectCaller().reply('image/images', manyImages());
    const plain = await get('/api/images');
    const expected: [acceptEncoding: string, contentEncoding: string | undefined][] = [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['zstd', 'zstd'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'br'],
      ['GZIP', 'gzip'],
      ['br;q=0.5, gzip;q=0.8', 'gzip'],
      ['gzip;q=0, br;q=0.1', 'br'],
      ['zstd;q=0, *', 'br'],
      ['*', 'zstd'],
      ['gzip;q=0.5, identity', undefined],
      ['identity', undefined],
      ['deflate', undefined],
      ['gzip;q=0', undefined],
      ['gzip;q=x', undefined],
      ['', undefined],
      // There is nothing that this client accepts.
      ['identity;q=0', undefined],
    ];

    for (const [acceptEncoding, contentEncoding] of expected) {
      const response = await get('/api/images', accepting(acceptEncoding));
      assert.equal(response.headers['content-encoding'], contentEncoding, acceptEncoding);
      assert.equal(response.headers.vary, 'Accept-Encoding', acceptEncoding);
      assert.equal(Number(response.headers['content-length']), response.bytes.length);
      assert.equal(textOf(response), plain.bytes.toString());
      if (contentEncoding !== undefined) assert.ok(response.bytes.length < plain.bytes.length / 2);
    }
  });

  it('of a list has a weak entity tag, valid for every encoding', async () => {
    expectCaller().reply('image/images', manyImages());
    const plain = await get('/api/images');
    const compressed = await get('/api/images', accepting('br'));

    assert.match(String(plain.headers.etag), /^"/);
    assert.equal(compressed.headers.etag, `W/${plain.headers.etag}`);
    for (const tag of [plain.headers.etag, compressed.headers.etag]) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const headers = { ...accepting(encoding), 'if-none-match': String(tag) };
        const response = await get('/api/images', headers);
        assert.equal(response.status, 304);
        assert.equal(response.headers.vary, 'Accept-Encoding');
        assert.equal(response.headers['content-encoding'], undefined);
        assert.equal(
          response.headers.etag,
          encoding === 'identity' ? plain.headers.etag : compressed.headers.etag,
        );
        assert.equal(response.bytes.length, 0);
      }
    }
  });

  it('of a list is shared by all readers and processes until changes', async () => {
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    expectCaller().reply('image/images', manyImages()).reply('image/images', manyImages());
    await get('/api/images');

    const first = await Promise.all(Array.from({ length: 20 }, () => get('/api/images', accepting('gzip'))));
    const later = await get('/api/images', accepting('gzip'));
    const elsewhere = await get('/api/images', accepting('gzip'), other);
    const again = await get('/api/images', accepting('gzip'), other);
    const made = 'gateway_list_compressions_total{list="images",encoding="gzip"}';
    assert.deepEqual(await compressions(), [`${made} 1`]);
    assert.deepEqual(await compressions(other), []);
    for (const { bytes } of [...first, elsewhere, again]) assert.deepEqual(bytes, later.bytes);

    await api.context.cache.drop({ list: 'images', projectId: caller.projectId });
    for (const at of [api, other]) await get('/api/images', accepting('gzip'), at);
    assert.deepEqual(await compressions(), [`${made} 2`]);
    assert.deepEqual(await compressions(other), []);
  });

  it('of a list is never that of an older state', async () => {
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const changed = manyImages();
    changed.body.images.pop();
    expectCaller().reply('image/images', manyImages()).reply('image/images', changed);
    for (const at of [api, other]) await get('/api/images', accepting('zstd'), at);

    await get('/api/images?refresh=true', {}, other);

    for (const at of [api, other, api]) {
      const response = await get('/api/images', accepting('zstd'), at);
      assert.equal(response.headers['content-encoding'], 'zstd');
      assert.equal((JSON.parse(textOf(response)) as unknown[]).length, 49);
    }
  });

  it('is not created for a short list unless required', async () => {
    expectCaller().reply('image/images', { body: { images: [] } });

    const short = await get('/api/images', accepting('gzip'));
    const forced = await get('/api/images', accepting('gzip, identity;q=0'));

    assert.equal(short.headers['content-encoding'], undefined);
    assert.equal(short.headers['content-length'], '2');
    assert.equal(short.bytes.toString(), '[]');
    assert.equal(forced.headers['content-encoding'], 'gzip');
    assert.equal(textOf(forced), '[]');
  });

  it('of a list is available at once, even while Redis stores nothing', async () => {
    for (const images_seconds of [300, 0]) {
      await begin({ cache: { images_seconds } });
      expectCaller().reply('image/images', manyImages());
      const response = await get('/api/images', accepting('br'));
      assert.equal(response.headers['content-encoding'], 'br');
      assert.equal((JSON.parse(textOf(response)) as unknown[]).length, 50);
    }
  });

  it('answers HEAD with the length of the compressed body', async () => {
    expectCaller().reply('image/images', manyImages());
    const { bytes } = await get('/api/images', accepting('gzip'));

    const head = await get('/api/images', accepting('gzip'), api, 'HEAD');

    assert.equal(Number(head.headers['content-length']), bytes.length);
    assert.equal(head.headers['content-encoding'], 'gzip');
    assert.equal(head.bytes.length, 0);
  });

  it('varies by origin as well where other origins are allowed', async () => {
    await begin({ http: { cors_origins: ['https://dashboard.example.org'] } });
    expectCaller().reply('image/images', manyImages());

    const response = await get('/api/images', {
      ...accepting('gzip'),
      origin: 'https://dashboard.example.org',
    });

    assert.equal(response.headers.vary, 'Origin, Accept-Encoding');
    assert.equal(response.headers['content-encoding'], 'gzip');
  });

  it('does not decide whether a response has its length in bytes', async () => {
    const [first] = fixtureBody<{ keypair: object }[]>('compute/keypairs', 'keypairs');
    const named = { keypair: { ...first?.keypair, name: 'Schlüssel' } };
    expectCaller().reply('compute/keypairs', { body: { keypairs: [named] } });

    const list = await get('/api/keypairs');
    const failed = await get('/api/keypairs?limit=%C3%BC');

    assert.match(list.bytes.toString(), /Schlüssel/);
    assert.equal(failed.status, 400);
    for (const { bytes, headers } of [list, failed]) {
      assert.equal(Number(headers['content-length']), bytes.length);
      assert.equal(headers['transfer-encoding'], undefined);
    }
  });

  it('is also created for long responses without a cache', async () => {
    const [keypair] = fixtureBody<object[]>('compute/keypairs', 'keypairs');
    expectCaller()
      .reply('compute/keypairs', { body: { keypairs: Array(100).fill(keypair) } })
      .reply('compute/keypairs', { body: { keypairs: [] } });

    const long = await get('/api/keypairs', accepting('gzip'));
    const short = await get('/api/keypairs', accepting('gzip'));

    assert.equal(long.headers['content-encoding'], 'gzip');
    assert.equal(Number(long.headers['content-length']), long.bytes.length);
    assert.equal((JSON.parse(textOf(long)) as unknown[]).length, 100);
    assert.equal(short.headers['content-encoding'], undefined);
    assert.equal(short.bytes.toString(), '[]');
    for (const { headers } of [long, short]) assert.equal(headers.vary, 'Accept-Encoding');
  });

  it('is created for metrics and the OpenAPI document, but not for errors', async () => {
    const document = await get('/api/openapi.json', accepting('br'));
    const metrics = await get('/api/metrics', accepting('gzip'));
    const error = await get('/api/nothing', accepting('gzip, identity;q=0'));

    assert.equal(document.headers['content-encoding'], 'br');
    assert.match(textOf(document), /^\{"openapi":/);
    assert.ok(document.bytes.length < 200_000);
    const known = { ...accepting('gzip'), 'if-none-match': String(document.headers.etag) };
    const again = await get('/api/openapi.json', known);
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    assert.equal(metrics.headers['content-encoding'], 'gzip');
    assert.match(textOf(metrics), /gateway_http_requests_total/);
    assert.equal(error.headers['content-encoding'], undefined);
  });

  it('never has a secret in it', async () => {
    expectCaller().reply('compute/keypair-create');

    const response = await get('/api/auth/login', accepting('gzip, identity;q=0'), api, 'POST');
    const created = await api.post('/api/keypairs', {
      as: caller,
      headers: accepting('gzip, identity;q=0'),
      body: { name: 'new' },
    });

    for (const { headers } of [response, created]) assert.equal(headers['content-encoding'], undefined);
    assert.equal(created.status, 200);
  });
});
