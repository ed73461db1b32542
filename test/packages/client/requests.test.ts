import assert from 'node:assert/strict';
import { eachItem, GatewayClient, GatewayError } from '../../../packages/client/src/index.ts';
import { json, StreamServer } from './stream-server.ts';

describe('the requests of the client', () => {
  let server: StreamServer;

  beforeEach(() => {
    server = new StreamServer();
  });

  afterEach(() => server.stop());

  async function clientFor(...answers: Parameters<StreamServer['start']>): Promise<GatewayClient> {
    const url = await server.start(...answers);
    return new GatewayClient({ url: `${url}/gateway/` });
  }

  it('carry the token and the project of the log-in', async () => {
    const session = { token: 'token-1', project_id: 'project-1' };
    const client = await clientFor(json(200, session), json(200, []));

    await client.logIn({ username: 'demo', password: 'demo-secret' });
    assert.deepEqual(await client.request('GET /api/images'), []);

    const [logIn, list] = server.seen;
    assert.equal(logIn?.line, 'POST /gateway/api/auth/login');
    assert.deepEqual(JSON.parse(logIn?.body ?? ''), { username: 'demo', password: 'demo-secret' });
    assert.equal(logIn?.headers['x-auth-token'], undefined);
    assert.equal(list?.line, 'GET /gateway/api/images');
    assert.equal(list?.headers['x-auth-token'], 'token-1');
    assert.equal(list?.headers['x-project-id'], 'project-1');
  });

  it('carry the token and the project of a switch', async () => {
    const session = { token: 'token-1', project_id: 'project-1' };
    const other = { token: 'token-2', project_id: 'project-2' };
    const client = await clientFor(json(200, session), json(200, other), json(200, []));

    await client.logIn({ username: 'demo', password: 'demo-secret', user_domain: 'Physics' });
    assert.deepEqual(await client.switchProject('project-2'), other);
    await client.request('GET /api/images');

    const [, change, list] = server.seen;
    assert.equal(change?.line, 'POST /gateway/api/auth/token');
    assert.equal(change?.headers['x-auth-token'], 'token-1');
    assert.deepEqual(JSON.parse(change?.body ?? ''), { project_id: 'project-2' });
    assert.deepEqual(
      [list?.headers['x-auth-token'], list?.headers['x-project-id']],
      ['token-2', 'project-2'],
    );
  });

  it('have the fields of their query and no others', async () => {
    const client = await clientFor(json(200, []));
    const build = 'POST /api/admin/file-storage/build';

    await client.request('GET /api/instances', { query: { name: undefined } });
    // @ts-expect-error An unknown field.
    await client.request('GET /api/instances', { query: { nam: 'x' } });
    await client.request(build, { query: { library_id: 'python311' } });
    // @ts-expect-error A required field without a value.
    await client.request(build, { query: { library_id: undefined } });

    assert.equal(server.seen.length, 4);
  });

  it('say once that the session has ended', async () => {
    const session = { token: 'token-1', project_id: 'project-1' };
    const refused = (code: string) => json(401, { code, detail: 'No.', request_id: 'r' });
    const url = await server.start(
      refused('unauthorized'),
      json(200, session),
      refused('wrong_password'),
      refused('session_expired'),
      refused('unauthorized'),
      json(200, session),
      refused('unauthorized'),
    );
    const ends: string[] = [];
    const client = new GatewayClient({ url, onSessionEnd: ({ code }) => ends.push(code) });
    const login = { username: 'demo', password: 'demo-secret' };
    const read = () => client.request('GET /api/images').catch(() => {});

    await assert.rejects(client.logIn(login), { code: 'unauthorized' });
    await client.logIn(login);
    await read();
    assert.deepEqual(ends, []);
    await read();
    await read();
    await client.logIn(login);
    await read();

    assert.deepEqual(ends, ['session_expired', 'unauthorized']);
  });

  it('report no end of a session that another has replaced', async () => {
    // The token is in a cookie.
    const credentials = { token: '', projectId: 'project-1' };
    const url = await server.start((response) => {
      client.credentials = { ...credentials };
      json(401, { code: 'session_expired', detail: 'No.', request_id: 'r' })(response);
    });
    const ends: string[] = [];
    const client = new GatewayClient({ url, credentials, onSessionEnd: ({ code }) => ends.push(code) });

    await assert.rejects(client.followJob('job-1').next(), { code: 'session_expired' });

    assert.deepEqual(ends, []);
  });

  it('continue a log-in with the receipt of its first step', async () => {
    const session = { token: 'token-1', project_id: 'project-1' };
    const unfinished = { code: 'totp_required', detail: 'More', request_id: 'r', receipt: 'v1.sealed' };
    const client = await clientFor(json(401, unfinished), json(200, session));

    const error = await client.logIn({ username: 'demo', password: 'demo-secret' }).catch((thrown) => thrown);
    assert.ok(error instanceof GatewayError);
    assert.deepEqual([error.code, error.receipt, client.credentials], ['totp_required', 'v1.sealed', null]);
    await client.logIn({ receipt: error.receipt ?? '', passcode: '123456' });

    assert.deepEqual(JSON.parse(server.seen[1]?.body ?? ''), { receipt: 'v1.sealed', passcode: '123456' });
    assert.equal(client.credentials?.token, 'token-1');
  });

  it('go to the origin of the page without an address', async () => {
    await server.start();
    const asked: unknown[] = [];
    const client = new GatewayClient({
      url: '',
      fetch: async (address) => {
        asked.push(address);
        return Response.json([]);
      },
    });

    await client.request('GET /api/images');

    assert.deepEqual(asked, ['/api/images']);
  });

  it('have the whole path, also with blanks', async () => {
    const client = await clientFor(json(204, {}));

    await client.send('DELETE /api/keypairs/laptop old');

    assert.equal(server.seen[0]?.line, 'DELETE /gateway/api/keypairs/laptop%20old');
  });

  it('fill in path and query, and omit undefined fields', async () => {
    const client = await clientFor(json(200, {}));

    await client.request('GET /api/instances/{instance_id}/log', {
      path: { instance_id: 'a/b c' },
      query: { length: 20 },
    });
    await client.request('GET /api/jobs', { query: { marker: undefined, status: 'failed' } });

    assert.deepEqual(
      server.seen.map(({ line }) => line),
      ['GET /gateway/api/instances/a%2Fb%20c/log?length=20', 'GET /gateway/api/jobs?status=failed'],
    );
  });

  it('are not sent with an id that a path would leave out', async () => {
    const client = await clientFor(json(200, {}));
    const ofRule = 'DELETE /api/security-groups/{sg_id}/rules/{rule_id}';

    for (const rule_id of ['', '.', '..', undefined] as string[]) {
      await assert.rejects(client.request(ofRule, { path: { sg_id: 'a', rule_id } }), RangeError);
    }
    await assert.rejects(client.followJob('..').next(), RangeError);
    await client.request(ofRule, { path: { sg_id: 'a..', rule_id: '...' } });

    assert.deepEqual(
      server.seen.map(({ line }) => line),
      ['DELETE /gateway/api/security-groups/a../rules/...'],
    );
  });

  it('return the response of an endpoint that is known at run time', async () => {
    const client = await clientFor(json(200, [1]), json(404, { code: 'not_found', detail: 'No.' }));

    const response = await client.send('GET /api/any/{name}', { path: { name: 'a/b' } });

    assert.deepEqual([response.status, await response.json()], [200, [1]]);
    assert.equal(server.seen[0]?.line, 'GET /gateway/api/any/a%2Fb');
    await assert.rejects(client.send('GET /api/any'), { name: 'GatewayError', code: 'not_found' });
  });

  it('carry an idempotency key and further headers', async () => {
    const client = await clientFor(json(201, {}));

    await client.request('POST /api/volumes', {
      body: { name: 'data', size_gb: 10 },
      idempotencyKey: 'key-1',
      headers: { 'X-Request-Id': 'req-1' },
    });

    const { headers } = server.seen[0] ?? {};
    assert.equal(headers?.['idempotency-key'], 'key-1');
    assert.equal(headers?.['x-request-id'], 'req-1');
    assert.equal(headers?.['content-type'], 'application/json');
  });

  it('return JSON, text, a blob or nothing', async () => {
    const client = await clientFor(
      (response) => response.writeHead(204).end(),
      (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('a 1\n'),
      (response) => response.writeHead(200, { 'content-type': 'application/yaml' }).end('clouds:\n'),
      (response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('apiVersion'),
    );

    const path = { volume_id: 'volume-1' };
    assert.equal(await client.request('DELETE /api/volumes/{volume_id}', { path }), undefined);
    assert.equal(await client.request('GET /api/metrics'), 'a 1\n');
    assert.equal(await client.request('GET /api/auth/clouds.yaml'), 'clouds:\n');
    const file = await client.request('GET /api/lite/clusters/{cluster_id}/kubeconfig', {
      path: { cluster_id: 'cluster-1' },
    });
    assert.equal(await file.text(), 'apiVersion');
  });

  it('throw the error of the gateway with all its fields', async () => {
    const body = {
      detail: 'The input is not valid.',
      code: 'invalid_input',
      request_id: 'req-1',
      errors: [{ field: 'body.name', message: 'is required' }],
      job_id: 'job-1',
      upstream: { service: 'compute', status: 400, request_id: null },
    };
    const client = await clientFor(json(429, body, { 'retry-after': '7' }));

    const error = await client.request('GET /api/images').catch((thrown: unknown) => thrown);

    assert.ok(error instanceof GatewayError);
    const { message, status, code, requestId, errors, jobId, upstream, retryAfterSeconds } = error;
    assert.deepEqual(
      { message, status, code, requestId, errors, jobId, upstream, retryAfterSeconds },
      {
        message: body.detail,
        status: 429,
        code: body.code,
        requestId: body.request_id,
        errors: body.errors,
        jobId: body.job_id,
        upstream: body.upstream,
        retryAfterSeconds: 7,
      },
    );
  });

  it("throw an error of its own kind for a proxy's response", async () => {
    const client = await clientFor((response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));

    await assert.rejects(client.request('GET /api/images'), {
      name: 'GatewayError',
      status: 502,
      code: 'unexpected_response',
      requestId: null,
      errors: [],
    });
  });

  it('follow no redirect, which would get the token or the password', async () => {
    const other = new StreamServer();
    const url = await other.start(json(200, { token: 'token-1', project_id: 'project-1' }));
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        const client = await clientFor(json(status, {}, { location: `${url}/api/auth/login` }));
        client.credentials = { token: 'token-1', projectId: 'project-1' };
        const refusal = { name: 'GatewayError', status, code: 'redirected', message: /redirects/ };
        await assert.rejects(client.logIn({ username: 'demo', password: 'demo-secret' }), refusal);
        await assert.rejects(client.request('GET /api/images'), refusal);
        await assert.rejects(client.followJob('job-1', { maxDelayMs: 1 }).next(), refusal);
        assert.equal(server.seen.length, 3, 'nothing is tried again');
        await server.stop();
        server = new StreamServer();
      }
      assert.deepEqual(other.seen, []);
    } finally {
      await other.stop();
    }
  });

  it('take no page for a response of the gateway', async () => {
    const client = await clientFor((response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html>');
    });

    const refusal = { name: 'GatewayError', status: 200, code: 'unexpected_response', message: /A page/ };
    await assert.rejects(client.logIn({ username: 'demo', password: 'demo-secret' }), refusal);
    await assert.rejects(client.request('GET /api/images'), refusal);
    await assert.rejects(client.followJob('job-1', { maxDelayMs: 1 }).next(), refusal);
    assert.equal(client.credentials, null);
  });

  it('read a paginated list to its end', async () => {
    const client = await clientFor(
      json(200, { items: [{ id: 'a' }, { id: 'b' }], next_marker: 'b', count: 2 }),
      json(200, { items: [{ id: 'c' }], next_marker: null, count: 1 }),
    );

    const jobs = eachItem((marker) => client.request('GET /api/jobs', { query: { limit: 2, marker } }));
    const ids = (await Array.fromAsync(jobs)).map(({ id }) => id);

    assert.deepEqual(ids, ['a', 'b', 'c']);
    assert.deepEqual(
      server.seen.map(({ line }) => line),
      ['GET /gateway/api/jobs?limit=2', 'GET /gateway/api/jobs?limit=2&marker=b'],
    );
  });
});
