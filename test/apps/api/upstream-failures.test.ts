import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { closeServer, listen } from '@gateway/platform';
import { answers, VOLUME_ID } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, tokenBodyWithout } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixture } from '../../support/doubles/upstream.ts';

describe('a cloud service that', () => {
  const suite = apiSuite();

  for (const status of [300, 500, 503]) {
    it(`answers ${status} is a 502 that names the service`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const body = '<html>Traceback: secret at http://10.0.0.5:8774</html>';
      const times = status === 503 ? 3 : 1;
      suite.cloud.reply('compute/keypairs', { status, body, times });

      const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller });

      assert.equal(answer.status, 502);
      assert.equal(answer.body.code, 'upstream_error');
      assert.deepEqual(answer.body.upstream, {
        service: 'compute',
        status,
        request_id: fixture('compute/keypairs').response.headers['x-openstack-request-id'] ?? null,
      });
      assert.doesNotMatch(answer.text, /Traceback|10\.0\.0\.5|html/);
    });
  }

  for (const page of [
    '<html><body><h1>403 Forbidden</h1>\nRequest forbidden by proxy-7.</body></html>',
    '<!DOCTYPE html><title>Proxy-7</title>',
    '\n<h1>Blocked by proxy-7</h1>',
  ]) {
    it(`refuses with an HTML page does not pass it on: ${page.trim().slice(0, 20)}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('compute/keypairs', { status: 403, body: page });

      const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller });

      assert.equal(answer.status, 403);
      assert.equal(answer.body.detail, 'The compute service refused the request.');
    });
  }

  it('answers HTML instead of JSON is a 502', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images', { body: '<html><body>Welcome to nginx!</body></html>' });

    const answer = await api.get<ErrorBody>('/api/images', { as: caller });

    assert.equal(answer.status, 502);
    assert.doesNotMatch(answer.text, /nginx/);
  });

  it('answers JSON without the list is a 502', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images', { body: { unrelated: true } });

    const answer = await api.get<ErrorBody>('/api/images', { as: caller });

    assert.equal(answer.status, 502);
  });

  it('answers JSON without the record is a 502', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { unrelated: true });

    const answer = await api.get<ErrorBody>(`/api/volumes/${VOLUME_ID}`, { as: caller });

    assert.equal(answer.status, 502);
    assert.equal(answer.body.upstream?.service, 'blockStorage');
  });

  it('is unreachable is a 503 with Retry-After', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypairs', { fault: 'ECONNREFUSED', times: 3 });

    const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller });

    assert.equal(answer.status, 503);
    assert.equal(answer.body.code, 'upstream_unavailable');
    assert.deepEqual(answer.body.upstream, { service: 'compute', status: null, request_id: null });
    assert.ok(Number(answer.headers['retry-after']) > 0);
  });

  it('does not answer in time is a 504', async () => {
    const silent = createServer(() => {});
    const { port } = await listen(silent, { host: '127.0.0.1', port: 0 });
    suite.allowPort(port);
    const api = await suite.start({
      settings: {
        identity: { endpoints: { compute: `http://127.0.0.1:${port}` } },
        time_limits: { upstream_request_seconds: 1 },
      },
    });
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller });

    assert.equal(answer.status, 504);
    assert.equal(answer.body.code, 'upstream_timeout');
    await closeServer(silent, { graceMs: 0 });
  });

  it('lacks the required version of its interface is a 502', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const message = 'Version 2.79 is not supported by the API. Minimum is 2.1 and maximum is 2.60.';
    suite.cloud.reply('compute/keypairs', { status: 406, body: { computeFault: { code: 406, message } } });

    const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [502, 'upstream_error']);
    assert.match(answer.body.detail, /^The compute service does not have the version of its interface/);
    assert.deepEqual(answer.body.upstream?.status, 406);
  });

  it('answers 429 is a 429 with its Retry-After', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypairs', { status: 429, headers: { 'retry-after': '17' }, body: {} });

    const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller });

    assert.equal(answer.status, 429);
    assert.equal(answer.headers['retry-after'], '17');
  });

  it('refuses by policy is a 403 with its message', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavor-forbidden', {
      method: 'GET',
      path: fixture('compute/keypairs').request.path,
    });

    const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller });

    assert.equal(answer.status, 403);
    assert.match(answer.body.detail, /Policy doesn't allow/);
  });

  it("refuses the caller's own token is a 401", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypairs', { status: 401, body: { error: { message: 'no' } } });

    const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller });

    assert.equal(answer.status, 401);
    assert.equal(answer.body.code, 'unauthorized');
  });

  it('is missing from the catalog is a 503 that says so', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsToken(caller, { body: tokenBodyWithout(caller, 'image') });

    const answer = await api.get<ErrorBody>('/api/images', { as: caller });

    assert.equal(answer.status, 503);
    assert.match(answer.body.detail, /image service is not available in this cloud/i);
  });

  it('fails a cached list is called again for the next reader', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images', { status: 500, body: {} }).reply('image/images');

    const failed = await api.get('/api/images', { as: caller });
    const read = await api.get('/api/images', { as: caller });

    assert.deepEqual([failed.status, read.status], [502, 200]);
  });
});

describe('an identity service that', () => {
  const suite = apiSuite();

  for (const [what, options, status] of [
    ['answers 500', { status: 500, body: {} }, 502],
    ['cannot be reached', { fault: 'ECONNREFUSED', times: 3 }, 503],
    ['takes no more requests', { status: 429, headers: { 'retry-after': '9' }, body: {} }, 429],
  ] as const) {
    it(`${what} is a ${status} and not a 401`, async () => {
      const api = await suite.start();
      const caller = newCaller();
      suite.cloud.reply('identity/token-validate', options);

      const answer = await api.get('/api/instances', { as: caller });

      assert.equal(answer.status, status);
    });
  }

  it('fails to rescope a token is a 502 and not a 403', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('identity/token-rescope', { status: 500, body: {} });

    const answer = await api.get('/api/images', { as: caller, projectId: 'elsewhere' });

    assert.equal(answer.status, 502);
  });
});
