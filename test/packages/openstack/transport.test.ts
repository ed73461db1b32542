import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { sleep } from '@gateway/core';
import {
  type CallContext,
  isConnectError,
  isUnanswered,
  UpstreamError,
  type UpstreamResponseEvent,
} from '@gateway/openstack';
import type { Span, SpanAttributes, Tracing } from '@gateway/platform';
import { startJunkService } from '../../support/doubles/junk-after-204.ts';
import { listenLocally, stopListening } from '../../support/doubles/local-server.ts';
import { mockUpstream, type ReplyOptions, type Upstream } from '../../support/doubles/upstream.ts';
import { call, recordedIdentity, testCloud, token } from './cloud.ts';

const transient: { title: string; reply: ReplyOptions }[] = [
  { title: 'a lost connection', reply: { fault: 'ECONNRESET' } },
  { title: 'a refused connection', reply: { fault: 'ECONNREFUSED' } },
  { title: 'too many requests (429)', reply: { status: 429, headers: { 'retry-after': '1' } } },
  { title: 'too many requests (413)', reply: { status: 413, headers: { 'retry-after': '1' } } },
  { title: 'an unavailable service (503)', reply: { status: 503 } },
  { title: 'the 404 of a proxy', reply: { status: 404, body: '<html>404 Not Found</html>' } },
];

describe('a call to a service', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  it('carries token, request id and the pinned version', async () => {
    upstream.reply('compute/limits', {
      requestHeaders: {
        'x-auth-token': token,
        'x-openstack-request-id': call.requestId,
        'openstack-api-version': 'compute 2.79',
      },
    });
    upstream.reply('shared-file-system/limits', {
      requestHeaders: { 'x-openstack-manila-api-version': '2.46' },
    });
    upstream.reply('block-storage/limits', {
      requestHeaders: { 'openstack-api-version': 'volume 3.59' },
    });
    const client = testCloud().mine();

    await client.compute.limits.get();
    await client.sharedFileSystem.limits.get();
    await client.blockStorage.limits.get();

    upstream.assertAllUsed();
  });

  for (const { title, reply } of transient) {
    it(`is retried after ${title} if it is a read`, async () => {
      const { mine, pausesMs } = testCloud();
      upstream.reply('compute/limits', { ...reply, times: 2 }).reply('compute/limits');

      const limits = await mine().compute.limits.get();

      assert.equal(limits.maxTotalInstances, 10);
      assert.equal(pausesMs.length, 2);
      upstream.assertAllUsed();
    });
  }

  it('is a span per attempt, whose context the service gets', async () => {
    const started: { name: string; attributes: SpanAttributes }[] = [];
    const ends: (SpanAttributes | string)[] = [];
    let isActive = true;
    const start: Tracing['start'] = (name, { attributes = {} }) => {
      started.push({ name, attributes });
      return {
        context: { traceparent: `00-trace-${started.length}-01`, tracestate: 'a=1' },
        set: (added) => ends.push(added),
        fail: (type) => ends.push(type),
        end: () => ends.push('end'),
        rename: () => {},
      };
    };
    const active = () => (isActive ? ({} as Span) : null);
    const client = testCloud({ tracing: { start, active } as Tracing }).mine();
    for (const [n, reply] of [{ status: 503 }, {}].entries()) {
      const requestHeaders = { traceparent: `00-trace-${n + 1}-01`, tracestate: 'a=1' };
      upstream.reply('compute/limits', { ...reply, requestHeaders });
    }

    await client.compute.limits.get();
    isActive = false;
    upstream.reply('compute/limits');
    await client.compute.limits.get();

    assert.deepEqual(
      started.map(({ name, attributes }) => [name, attributes['http.request.resend_count']]),
      [
        ['compute limits.get', undefined],
        ['compute limits.get', 1],
      ],
    );
    const [first, ...others] = ends;
    assert.deepEqual(first, { 'http.response.status_code': 503 });
    assert.deepEqual(others, ['503', 'end', { 'http.response.status_code': 200 }, 'end']);
    upstream.assertAllUsed();
  });

  it('is not retried after other responses', async () => {
    const { mine, pausesMs } = testCloud();
    upstream.reply('compute/limits', { status: 500 });

    await assert.rejects(mine().compute.limits.get(), { status: 502 });

    assert.deepEqual(pausesMs, []);
  });

  it('is not retried with `retry: none`', async () => {
    const { mine, pausesMs } = testCloud();
    upstream.reply('compute/limits', { status: 503 });

    await assert.rejects(mine({ retry: 'none' }).compute.limits.get(), { status: 502 });

    assert.deepEqual(pausesMs, []);
  });

  for (const fault of ['ECONNRESET', 'EPIPE']) {
    it(`is not retried for a write that may have succeeded (${fault})`, async () => {
      const { mine, pausesMs } = testCloud();
      upstream.reply('block-storage/volume-create', { fault });

      await assert.rejects(mine().blockStorage.volumes.create({ size: 1 }), { status: 503 });

      assert.deepEqual(pausesMs, []);
      upstream.assertAllUsed();
    });
  }

  it('is not retried for a write to a busy service', async () => {
    const { mine, pausesMs } = testCloud();
    upstream.reply('block-storage/volume-create', { status: 503 });

    await assert.rejects(mine().blockStorage.volumes.create({ size: 1 }), { status: 502 });

    assert.deepEqual(pausesMs, []);
  });

  it('is retried if it is a write and there was no connection', async () => {
    const { mine } = testCloud();
    upstream
      .reply('block-storage/volume-create', { fault: 'ECONNREFUSED' })
      .reply('block-storage/volume-create');

    const volume = await mine().blockStorage.volumes.create({ size: 1 });

    assert.equal(volume.status, 'creating');
    upstream.assertAllUsed();
  });

  it('calls `beforeWrite` before each write, and sends nothing if it throws', async () => {
    let asked = 0;
    const client = testCloud().mine({
      beforeWrite: async () => {
        asked += 1;
        if (asked === 2) throw new Error('Not yours any more.');
      },
    });
    upstream.reply('compute/limits').reply('block-storage/volume-create');

    await client.compute.limits.get();
    await client.blockStorage.volumes.create({ size: 1 });
    await assert.rejects(client.blockStorage.volumes.create({ size: 1 }), /Not yours any more/);

    assert.equal(asked, 2);
    upstream.assertAllUsed();
  });

  it('treats a 404 as deleted after a lost deletion attempt', async () => {
    const { mine } = testCloud();
    upstream
      .reply('compute/server-not-found', { method: 'DELETE', fault: 'ECONNRESET' })
      .reply('compute/server-not-found', { method: 'DELETE' });

    await mine().compute.servers.remove('00000000-0000-4000-8000-000000000000');

    upstream.assertAllUsed();
  });

  it('does not take the 404 of a proxy for the deletion', async () => {
    const { mine } = testCloud();
    const page = { method: 'DELETE' as const, status: 404, body: '<html>404 Not Found</html>' };
    upstream
      .reply('compute/server-not-found', { method: 'DELETE', fault: 'ECONNRESET' })
      .reply('compute/server-not-found', { ...page, times: 2 });

    const error = await mine()
      .compute.servers.remove('00000000-0000-4000-8000-000000000000')
      .catch((thrown: unknown) => thrown);

    // Nor for a deletion that was not received.
    const { networkErrorCode, status } = error as UpstreamError;
    assert.deepEqual([status, networkErrorCode], [503, 'ECONNRESET']);
    upstream.assertAllUsed();
  });

  it('takes no write for unsent of which an attempt was lost', async () => {
    const { mine } = testCloud();
    upstream
      .reply('compute/server-not-found', { method: 'DELETE', fault: 'ECONNRESET' })
      .reply('compute/server-not-found', { method: 'DELETE', fault: 'ECONNREFUSED', times: 2 });

    const error = await mine()
      .compute.servers.remove('00000000-0000-4000-8000-000000000000')
      .catch((thrown: unknown) => thrown);

    assert.deepEqual([isConnectError(error), isUnanswered(error)], [false, true]);
    upstream.assertAllUsed();
  });

  it('throws a 404 if the first deletion attempt finds nothing', async () => {
    const { mine } = testCloud();
    upstream.reply('compute/server-not-found', { method: 'DELETE' });

    await assert.rejects(mine().compute.servers.remove('00000000-0000-4000-8000-000000000000'), {
      status: 404,
    });
  });

  it('waits as long as the service asks, up to a limit', async () => {
    const { mine, pausesMs } = testCloud();
    upstream
      .reply('compute/limits', { status: 503, headers: { 'retry-after': '3' } })
      .reply('compute/limits', { status: 429 })
      .reply('compute/limits');

    await mine().compute.limits.get();

    const [first = 0, second = 0] = pausesMs;
    assert.equal(first, 3000);
    assert.ok(second >= 300 && second <= 500, String(second));
  });

  it('fails at once for a long requested delay, and returns it', async () => {
    const { mine, pausesMs } = testCloud();
    upstream.reply('compute/limits', { status: 429, headers: { 'retry-after': '60' } });

    await assert.rejects(mine().compute.limits.get(), { status: 429, retryAfterSeconds: 60 });

    assert.deepEqual(pausesMs, []);
  });

  it('passes on the longest delay of all attempts', async () => {
    const { mine } = testCloud();
    upstream
      .reply('compute/limits', { status: 413, headers: { 'retry-after': '4' } })
      .reply('compute/limits', { status: 429, headers: { 'retry-after': '2' } })
      .reply('compute/limits', { status: 429 });

    await assert.rejects(mine().compute.limits.get(), {
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: 4,
    });
  });

  it('accepts a delay given as a date', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const { mine } = testCloud({ clock: { now: () => now } });
    const date = new Date(now + 90_000).toUTCString();
    upstream.reply('compute/limits', { status: 429, headers: { 'retry-after': date } });

    await assert.rejects(mine().compute.limits.get(), { retryAfterSeconds: 90 });
  });

  it('takes no other text for a delay', async () => {
    for (const text of ['soon', 'in 5 minutes', '0x10', 'Infinity', '1e99', '-1']) {
      const { mine } = testCloud();
      const answer = { status: 503, headers: { 'retry-after': text } };
      upstream
        .reply('compute/limits', answer)
        .reply('compute/limits', answer)
        .reply('compute/limits', answer);

      const error = await mine()
        .compute.limits.get()
        .catch((thrown: unknown) => thrown);

      assert.ok(error instanceof UpstreamError);
      assert.equal(error.retryAfterSeconds, undefined, text);
    }
  });

  it('is a 503 with Retry-After if the service is unreachable', async () => {
    const { mine } = testCloud();
    upstream.reply('compute/limits', { fault: 'ENOTFOUND', times: 3 });

    const error = await mine()
      .compute.limits.get()
      .catch((thrown: unknown) => thrown);

    assert.ok(error instanceof UpstreamError);
    assert.deepEqual(
      [error.status, error.code, error.networkErrorCode],
      [503, 'upstream_unavailable', 'ENOTFOUND'],
    );
    assert.ok((error.retryAfterSeconds ?? 0) > 0);
    assert.deepEqual(error.upstream, { service: 'compute', status: null, request_id: null });
  });

  it("throws the signal's reason, at once or between attempts", async () => {
    const reason = new Error('cancelled');
    const controller = new AbortController();
    const { mine } = testCloud({
      sleep: (_ms, signal) => {
        setImmediate(() => controller.abort(reason));
        return sleep(60_000, signal);
      },
    });
    upstream.reply('compute/limits', { status: 503 });

    await assert.rejects(mine({ signal: controller.signal }).compute.limits.get(), reason);
    await assert.rejects(mine({ signal: controller.signal }).compute.limits.get(), reason);

    upstream.assertAllUsed();
  });

  it("throws the signal's reason while it waits for the response", async () => {
    const reason = new Error('cancelled');
    const controller = new AbortController();
    const { mine } = testCloud();
    upstream.reply('compute/limits', { delayMs: 60_000 });

    const pending = mine({ signal: controller.signal }).compute.limits.get();
    setImmediate(() => controller.abort(reason));

    await assert.rejects(pending, reason);
  });

  it('emits an event for each attempt, with service, operation and status', async () => {
    const seen: UpstreamResponseEvent[] = [];
    const { mine } = testCloud({ events: { onResponse: (event) => seen.push(event) } });
    upstream.reply('compute/limits', { fault: 'ECONNRESET' }).reply('compute/limits');

    await mine().compute.limits.get();

    assert.deepEqual(
      seen.map(({ durationSeconds, ...event }) => event),
      [null, 200].map((status) => ({
        service: 'compute',
        operation: 'limits.get',
        status,
        requestId: call.requestId,
      })),
    );
  });

  it('throws a 503 for a service that the cloud does not have', async () => {
    const { openstack } = testCloud();
    const { compute: _, ...endpoints } = recordedIdentity().endpoints;
    const { compute } = openstack.as({ ...recordedIdentity(), endpoints }, call);

    await assert.rejects(compute.limits.get(), {
      status: 503,
      message: 'The compute service is not available in this cloud.',
    });
  });

  for (const id of ['', '.', '..', 'detail', 'summary']) {
    it(`never sends the id "${id}", which would lead to another resource`, async () => {
      const { mine } = testCloud();

      await assert.rejects(async () => mine().compute.servers.get(id), { status: 404 });

      upstream.assertAllUsed();
    });
  }

  it('sends any name of a key pair', async () => {
    upstream.reply('compute/keypair', { path: '/v2.1/os-keypairs/detail' });

    await testCloud().mine().compute.keypairs.get('detail');

    upstream.assertAllUsed();
  });

  it('encodes special characters in a path', async () => {
    const { mine } = testCloud();
    upstream.reply('compute/keypair', { path: '/v2.1/os-keypairs/a%20b%3Fc' });

    await mine().compute.keypairs.get('a b?c');

    upstream.assertAllUsed();
  });
});

describe('a service on a real connection', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  /** A service with this handler, and a client for it. */
  async function serve(
    listener: RequestListener,
    {
      signal,
      beforeSend,
      ...options
    }: Parameters<typeof testCloud>[0] & Pick<CallContext, 'signal' | 'beforeSend'> = {},
  ) {
    const server = createServer(listener);
    const port = await listenLocally(server);
    const { openstack, pausesMs } = testCloud(options);
    closers.push(() => {
      openstack.close();
      return stopListening(server);
    });
    const identity = { ...recordedIdentity(), endpoints: { compute: `http://127.0.0.1:${port}/v2.1` } };
    return { compute: openstack.as(identity, { ...call, signal, beforeSend }).compute, pausesMs };
  }

  it('that does not answer in time is a 504, after one attempt', async () => {
    let asked = 0;
    const { compute, pausesMs } = await serve(
      () => {
        asked += 1;
      },
      { timeLimits: { upstreamRequestSeconds: 1, upstreamQueueSeconds: 5 } },
    );

    await assert.rejects(compute.limits.get(), {
      status: 504,
      code: 'upstream_timeout',
      message: 'The compute service did not answer in time.',
    });

    assert.deepEqual([asked, pausesMs], [1, []]);
  });

  it('that does not speak HTTP is a 502', async () => {
    const { compute } = await serve((request) => request.socket.end('220 mail ready\r\n'));

    await assert.rejects(compute.limits.get(), { status: 502, code: 'upstream_error' });
  });

  it('whose response ends too early fails, and is read again', async () => {
    let asked = 0;
    const { compute } = await serve((request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      // What has arrived would be JSON.
      response.write('{"limits":{"absolute":{}}}', () => request.socket.destroySoon());
    });

    await assert.rejects(compute.limits.get(), { status: 503, code: 'upstream_unavailable' });

    assert.ok(asked > 1);
  });

  it('whose error stalls is a 504, after one attempt', async () => {
    let asked = 0;
    const { compute } = await serve(
      (_request, response) => {
        asked += 1;
        response.writeHead(503, { 'content-length': '1000' }).write('{');
      },
      { timeLimits: { upstreamRequestSeconds: 1, upstreamQueueSeconds: 5 } },
    );

    await assert.rejects(compute.limits.get(), { status: 504, code: 'upstream_timeout' });

    assert.equal(asked, 1);
  });

  it('whose error ends too early is asked again', async () => {
    let asked = 0;
    const { compute } = await serve((request, response) => {
      asked += 1;
      response.writeHead(500, { 'content-length': '1000' }).write('{', () => request.socket.destroySoon());
    });

    await assert.rejects(compute.limits.get(), { status: 503, code: 'upstream_unavailable' });

    assert.ok(asked > 1);
  });

  it('is repeated in its own context, whichever call opened the connection', async () => {
    const contexts: unknown[] = [];
    const storage = new AsyncLocalStorage<string>();
    const sockets = new Set<unknown>();
    const { compute } = await serve(
      (request, response) => {
        if (sockets.has(request.socket)) request.socket.destroy();
        else response.setHeader('content-type', 'application/json').end('{"limits":{"absolute":{}}}');
        sockets.add(request.socket);
      },
      { beforeSend: async () => void contexts.push(storage.getStore()) },
    );

    await storage.run('first', () => compute.limits.get());
    await storage.run('second', () => compute.limits.get());

    assert.deepEqual(contexts, ['first', 'second', 'second']);
  });

  it('has its time from when it is asked', async () => {
    const limitMs = 1000;
    const { compute } = await serve(
      (_request, response) => {
        response.setHeader('content-type', 'application/json').end('{"limits":{"absolute":{}}}');
      },
      {
        timeLimits: { upstreamRequestSeconds: limitMs / 1000, upstreamQueueSeconds: 5 },
        beforeSend: () => sleep(limitMs * 1.2),
      },
    );

    await compute.limits.get();
  });

  it('may send a body after a 204', async () => {
    const service = await startJunkService(() => '{}');
    const statuses: unknown[] = [];
    const { openstack } = testCloud({ events: { onResponse: ({ status }) => statuses.push(status) } });
    closers.push(() => service.close());
    const endpoints = { compute: `http://127.0.0.1:${service.port}` };

    await openstack.as({ ...recordedIdentity(), endpoints }, call).compute.keypairs.remove('key');

    assert.deepEqual(statuses, [204]);
  });

  it('gets a deletion without a body', async () => {
    let headers: IncomingHttpHeaders = {};
    const { compute } = await serve((request, response) => {
      headers = request.headers;
      response.writeHead(204).end();
    });

    await compute.keypairs.remove('key');

    assert.deepEqual([headers['content-type'], headers['transfer-encoding']], [undefined, undefined]);
  });

  it('may cut its response within a character', async () => {
    const { compute } = await serve((_request, response) => {
      const body = Buffer.from('{"keypair":{"name":"Schlüssel"}}');
      const cut = body.indexOf('ü') + 1;
      response.write(body.subarray(0, cut), () => setImmediate(() => response.end(body.subarray(cut))));
    });

    assert.equal((await compute.keypairs.get('key')).name, 'Schlüssel');
  });

  it('is not waited for once the call is aborted', async () => {
    const aborted = new AbortController();
    const { compute } = await serve(
      (_request, response) => {
        response.write('{');
        aborted.abort(new Error('The client is gone.'));
      },
      { signal: aborted.signal },
    );

    await assert.rejects(compute.limits.get(), { message: 'The client is gone.' });
  });

  it('reuses its connection, and may close it without failing a read', async () => {
    const sockets = new Set<unknown>();
    let answered = 0;
    const { compute } = await serve((request, response) => {
      sockets.add(request.socket);
      answered += 1;
      // After the second response, the connection is closed, which the client does not see yet.
      if (answered === 2) response.on('finish', () => request.socket.destroySoon());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ limits: { absolute: { maxTotalCores: answered } } }));
    });

    const first = await compute.limits.get();
    const second = await compute.limits.get();
    const socketsForTwo = sockets.size;
    const third = await compute.limits.get();

    assert.equal(socketsForTwo, 1);
    assert.deepEqual(
      [first, second, third].map((limits) => limits.maxTotalCores),
      [1, 2, 3],
    );
  });
});
