import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { conflict, GatewayError, notFound, rateLimited, unauthorized } from '@gateway/core';
import Joi from 'joi';
import type { Endpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import { identityHeaders, type RequestOptions } from '../../support/api/client.ts';
import { inOtherProject, newCaller, type TestCaller, tokenBody } from '../../support/api/factories.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { type ApiOptions, apiSuite, type TestApi } from '../../support/api/suite.ts';
import { testEndpoints } from '../../support/api/test-endpoint.ts';
import { eventually } from '../../support/eventually.ts';

/** A request with a key and a body. */
function keyed(as: TestCaller, key = 'key-1', body: unknown = { size: 1 }): RequestOptions {
  return { as, body, headers: { 'idempotency-key': key } };
}

describe('a POST with an Idempotency-Key', () => {
  const suite = apiSuite();
  const own = testEndpoints(suite);

  /** An endpoint that creates things, and returns their number. */
  async function makeThings(parts: Partial<Endpoint> = {}, options: ApiOptions = {}) {
    const api = await suite.start(options);
    let made = 0;
    const maker: Partial<Endpoint> = {
      body: Joi.object({ size: Joi.number(), secret: Joi.string() }),
      status: 201,
      handler: async () => {
        made += 1;
        return { is: `thing ${made}` };
      },
      ...parts,
    };
    const { call, port } = await own.serve(api, maker);
    return { api, call, port, maker, made: () => made };
  }

  it('runs once, and returns the first response to repetitions', async () => {
    const { call, made } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());

    const first = await call(keyed(caller));
    const again = await call(keyed(caller));

    assert.equal(made(), 1);
    assert.deepEqual([first.status, first.text], [201, '{"is":"thing 1"}']);
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    assert.equal(first.headers['idempotent-replayed'], undefined);
    assert.equal(again.headers['idempotent-replayed'], 'true');
  });

  it('runs each time without a key', async () => {
    const { call, made } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());

    await call({ as: caller, body: { size: 1 } });
    await call({ as: caller, body: { size: 1 } });

    assert.equal(made(), 2);
  });

  it('replays a response without a body', async () => {
    const { call } = await makeThings({ status: 204, response: undefined, handler: async () => undefined });
    const caller = suite.cloud.validCaller(newCaller());

    const first = await call(keyed(caller));
    const again = await call(keyed(caller));

    assert.deepEqual([again.status, again.text], [first.status, '']);
    assert.equal(again.status, 204);
  });

  it('is 409 with another body, and keeps the first response', async () => {
    const { call, made } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());
    await call(keyed(caller));

    const other = await call(keyed(caller, 'key-1', { size: 2 }));
    const again = await call(keyed(caller));

    assert.equal(other.status, 409);
    assert.equal(other.body.code, 'idempotency_mismatch');
    assert.equal(again.text, '{"is":"thing 1"}');
    assert.equal(made(), 1);
  });

  it('is 409 without the sealing key that it was made with', async () => {
    const { api, call, maker, made } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());
    await call(keyed(caller));
    const sealingKeys = `k2:${Buffer.alloc(32, 8).toString('base64')}`;
    const rotated = await suite.start({ keyPrefix: api.keyPrefix, sealingKeys });
    const other = await own.serve(rotated, maker);

    const again = await other.call(keyed(caller));

    assert.equal(again.status, 409);
    assert.equal(again.body.code, 'idempotency_mismatch');
    assert.equal(made(), 1);
  });

  it('is the same request with its fields in another order or spacing', async () => {
    const { call, made } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());
    const headers = { 'idempotency-key': 'key-1', 'content-type': 'application/json' };

    await call({ as: caller, headers, rawBody: '{"size":1,"secret":"s"}' });
    const again = await call({ as: caller, headers, rawBody: '{ "secret": "s",\n "size": 1.0 }' });

    assert.equal(again.status, 201);
    assert.equal(made(), 1);
  });

  it('is another request for another user, project, path or key', async () => {
    const { call, made } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());
    const colleague = suite.cloud.validCaller(newCaller({ userId: 'u-2' }));
    const elsewhere = suite.cloud.validCaller(inOtherProject(caller));

    const answers = [
      await call(keyed(caller)),
      await call(keyed(colleague)),
      await call(keyed(elsewhere)),
      await call(keyed(caller), 't-2'),
      await call(keyed(caller, 'key-2')),
    ];

    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['idempotent-replayed']]),
      answers.map(() => [201, undefined]),
    );
    assert.equal(made(), 5);
  });

  it('is another request for each credential or trust of the user', async () => {
    const { call, made } = await makeThings({}, { settings: { http: { idempotency_keys_per_user: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const programs = [
      { application_credential: { id: 'credential-1', name: 'one', restricted: true } },
      { application_credential: { id: 'credential-2', name: 'two', restricted: true } },
      { 'OS-TRUST:trust': { id: 'trust-1' } },
      { 'OS-OAUTH1': { access_token_id: 'access-1' } },
    ].map((limit) => {
      const program = newCaller({ roles: ['reader'] });
      const { token } = tokenBody(program) as { token: object };
      suite.cloud.acceptsToken(program, { body: { token: { ...token, ...limit } } });
      return program;
    });

    const answers = [];
    for (const as of [caller, ...programs]) answers.push(await call(keyed(as)));

    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['idempotent-replayed']]),
      answers.map(() => [201, undefined]),
    );
    assert.equal(made(), 5);
  });

  it('belongs to its address on a public endpoint', async () => {
    const settings = { http: { trusted_proxies: ['loopback'] } };
    const { call, made } = await makeThings({ access: 'public' }, { settings });
    const from = (address: string) => ({
      body: { size: 1 },
      headers: { 'idempotency-key': 'key-1', 'x-forwarded-for': address },
    });

    const first = await call(from('192.0.2.1'));
    const again = await call(from('192.0.2.1'));
    const elsewhere = await call(from('192.0.2.2'));

    assert.equal(again.text, first.text);
    assert.equal(elsewhere.headers['idempotent-replayed'], undefined);
    assert.equal(made(), 2);
  });

  it('is the same request with another token of the same user', async () => {
    const { call, made } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());
    await call(keyed(caller));

    const again = await call(keyed(suite.cloud.validCaller(newCaller())));

    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(made(), 1);
  });

  it('is 400 with an empty, too long, unprintable or duplicate key', async () => {
    const { call, made } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());

    for (const key of ['', 'k'.repeat(256), 'a\tb', 'schl\u00fcssel']) {
      const answer = await call(keyed(caller, key));
      assert.equal(answer.status, 400, key);
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['header.Idempotency-Key'],
      );
    }
    const twice = ['key-1', 'key-2'] as unknown as string;
    assert.equal((await call(keyed(caller, twice))).status, 400);
    assert.equal(made(), 0);
  });

  it('accepts keys of up to 255 printable characters', async () => {
    const { call } = await makeThings();
    const caller = suite.cloud.validCaller(newCaller());

    for (const key of ['~', 'k'.repeat(255), 'all "kinds" of {signs}: !#%&/=?'])
      assert.equal((await call(keyed(caller, key))).status, 201, key);
  });

  it('stores no key if token, input or rate limit are refused', async () => {
    const settings = { rate_limits: { stream_ticket: 1 } };
    const { api, call, made } = await makeThings({ rateLimits: ['streamTicket'] }, { settings });
    const caller = suite.cloud.validCaller(newCaller());
    const stranger = newCaller();
    const limited = suite.cloud.validCaller(newCaller({ userId: 'u-limited' }));
    suite.cloud.rejectsToken(stranger.token);
    await call({ as: limited, body: {} });

    const statuses = [
      (await call(keyed(stranger))).status,
      (await call(keyed(limited))).status,
      (await call(keyed(caller, 'key-1', { size: 'large' }))).status,
    ];

    assert.deepEqual(statuses, [401, 429, 400]);
    assert.deepEqual(await recordsOf(api), []);
    assert.equal(made(), 1);
  });

  it('stores no key if the role is refused', async () => {
    const { api, call, made } = await makeThings({ access: 'admin' });
    const member = suite.cloud.validCaller(newCaller({ roles: ['member'] }));

    assert.equal((await call(keyed(member))).status, 403);

    assert.deepEqual(await recordsOf(api), []);
    assert.equal(made(), 0);
  });

  it('replays a refusal of the handler with a new request id', async () => {
    for (const [index, error] of [conflict('busy', 'In use.'), notFound('No such network.')].entries()) {
      let tried = 0;
      const { call } = await makeThings({
        handler: async () => {
          tried += 1;
          throw error;
        },
      });
      const caller = suite.cloud.validCaller(newCaller());

      const first = await call(keyed(caller, `key-${index}`));
      const again = await call(keyed(caller, `key-${index}`));

      assert.equal(tried, 1);
      assert.equal(again.status, error.status);
      assert.equal(again.headers['idempotent-replayed'], 'true');
      assert.deepEqual({ ...again.body, request_id: '' }, { ...first.body, request_id: '' });
      assert.notEqual(again.body.request_id, first.body.request_id);
    }
  });

  it('runs again after a failure, a rate limit or a wrong password', async () => {
    const faults = [
      new Error('unforeseen'),
      new GatewayError(502, 'upstream_error', 'It failed.'),
      rateLimited('Too many.'),
      unauthorized('Wrong.'),
    ];
    const { call, made } = await makeThings({
      handler: async () => {
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        return { is: 'done' };
      },
    });
    const caller = suite.cloud.validCaller(newCaller());

    const statuses = [];
    for (let tried = 0; tried < 5; tried += 1) statuses.push((await call(keyed(caller))).status);

    assert.deepEqual(statuses, [500, 502, 429, 401, 201]);
    assert.equal(made(), 0);
  });

  it('accepts another body after a failure, of which nothing is stored', async () => {
    let tried = 0;
    const { call } = await makeThings({
      handler: async () => {
        tried += 1;
        if (tried === 1) throw new GatewayError(502, 'upstream_error', 'It failed.');
        return { is: 'done' };
      },
    });
    const caller = suite.cloud.validCaller(newCaller());
    await call(keyed(caller));

    assert.equal((await call(keyed(caller, 'key-1', { size: 2 }))).status, 201);
  });

  it('runs once for concurrent requests to two processes', async () => {
    const gate = Promise.withResolvers<void>();
    let made = 0;
    const slowly = async () => {
      made += 1;
      await gate.promise;
      return { is: `thing ${made}` };
    };
    const one = await makeThings({ handler: slowly });
    const two = await makeThings({ handler: slowly }, { keyPrefix: one.api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());

    const arrived = [arrivals(one.api), arrivals(two.api)];
    await one.api.get('/api/auth/me', { as: caller });

    const answers = Promise.all([one.call(keyed(caller)), two.call(keyed(caller)), one.call(keyed(caller))]);
    await eventually(async () => made === 1 && arrived[0]?.() === 2 && arrived[1]?.() === 1);
    gate.resolve();

    const texts = (await answers).map(({ status, text }) => `${status} ${text}`);
    assert.deepEqual(texts, ['201 {"is":"thing 1"}', '201 {"is":"thing 1"}', '201 {"is":"thing 1"}']);
    const replayed = (await answers).filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    assert.equal(replayed.length, 2);
    assert.equal(made, 1);
  });

  it('continues when its caller disconnects, and stores the response', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let made = 0;
    const { call, port } = await makeThings({
      handler: async () => {
        made += 1;
        begun.resolve();
        await gate.promise;
        return { is: `thing ${made}` };
      },
    });
    const caller = suite.cloud.validCaller(newCaller());
    const body = JSON.stringify({ size: 1 });
    const leaving = httpRequest({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/api/things/t-1',
      headers: {
        ...identityHeaders({ as: caller }),
        'content-type': 'application/json',
        'content-length': body.length,
        'idempotency-key': 'key-1',
      },
    });
    leaving.on('error', () => {});
    leaving.end(body);
    await begun.promise;

    const left = new Promise((resolve) => leaving.once('close', resolve));
    leaving.destroy();
    await left;
    gate.resolve();
    const again = await call(keyed(caller));

    assert.equal(again.text, '{"is":"thing 1"}');
    assert.equal(made, 1);
  });

  it('counts towards its rate limit each time', async () => {
    const settings = { rate_limits: { volume_create: 2 } };
    const { call } = await makeThings({ rateLimits: ['volumeCreate'] }, { settings });
    const caller = suite.cloud.validCaller(newCaller());

    const statuses = [];
    for (let tried = 0; tried < 3; tried += 1) statuses.push((await call(keyed(caller))).status);

    assert.deepEqual(statuses, [201, 201, 429]);
  });

  it('expires after a day, or as configured', async () => {
    for (const [settings, seconds] of [
      [{}, 86_400],
      [{ http: { idempotency_seconds: 120 } }, 120],
    ] as const) {
      const { api, call } = await makeThings({}, { settings });
      await call(keyed(suite.cloud.validCaller(newCaller())));

      const [record = ''] = await recordsOf(api);
      const left = await api.context.redis.queue.ttl(record);
      assert.ok(left > seconds - 20 && left <= seconds, `${left} of ${seconds}`);
    }
  });

  it('stores body and response encrypted, and no guessable hash', async () => {
    const { api, call } = await makeThings({ handler: async () => ({ is: 'hunter2-answer' }) });
    const caller = suite.cloud.validCaller(newCaller());
    const body = { secret: 'hunter2-body' };

    const first = await call(keyed(caller, 'key-1', body));
    const again = await call(keyed(caller, 'key-1', body));

    assert.equal(again.text, first.text);
    const stored = (await allStoredData(api)).join('\n');
    assert.match(stored, /\{idempotency:/);
    assert.doesNotMatch(stored, /hunter2/);
    const text = JSON.stringify(body);
    for (const sent of [text, JSON.stringify({ body }), JSON.stringify({ query: undefined, body })]) {
      const digest = createHash('sha256').update(sent).digest();
      for (const spelling of ['hex', 'base64', 'base64url'] as const)
        assert.equal(stored.includes(digest.toString(spelling)), false);
    }
  });

  it('logs that a response was replayed', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypair-create');
    const request = { ...keyed(caller, 'key-1', { name: 'k' }) };

    await api.post('/api/keypairs', request);
    await api.post('/api/keypairs', request);

    const lines = await eventually(async () => {
      const audit = api.log.withMessage('Audit');
      return audit.length === 2 ? audit : undefined;
    });
    assert.deepEqual(
      lines.map(({ replayed }) => replayed),
      [undefined, true],
    );
  });
});

describe('an endpoint that issues tokens', () => {
  const suite = apiSuite();
  const headers = { 'idempotency-key': 'key-1' };

  it('ignores an Idempotency-Key at a log-in: each request issues a new token', async () => {
    const api = await suite.start();
    const [first, second] = [newCaller(), newCaller()];
    const body = { username: 'demo', password: 'hunter2hunter2' };

    suite.cloud.acceptsLogIn(first);
    const answer = await api.post<{ token: string }>('/api/auth/login', { body, headers });
    suite.cloud.acceptsLogIn(second);
    const again = await api.post<{ token: string }>('/api/auth/login', { body, headers });

    assert.deepEqual([answer.body.token, again.body.token], [first.token, second.token]);
    assert.equal(again.headers['idempotent-replayed'], undefined);
    assert.deepEqual(await recordsOf(api), []);
  });

  it('returns the first token again at a scope switch, stored sealed', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const body = { project_id: caller.projectId };
    const issued = newCaller();

    suite.cloud.rescopesToken(caller.token, issued);
    const first = await api.post<{ token: string }>('/api/auth/token', { as: caller, body, headers });
    const again = await api.post<{ token: string }>('/api/auth/token', { as: caller, body, headers });

    assert.equal(first.body.token, issued.token);
    assert.deepEqual([again.body, again.headers['idempotent-replayed']], [first.body, 'true']);
    assert.ok((await allStoredData(api)).every((stored) => !stored.includes(issued.token)));
  });
});

/** The keys of the records in Redis. */
async function recordsOf({ context, keyPrefix }: TestApi): Promise<string[]> {
  const keys = await context.redis.queue.keys(`${keyPrefix}{idempotency:*`);
  return keys.filter((key) => /\}:[0-9a-f]{64}$/.test(key));
}

/** The number of requests with a key that have run their handler or wait for another request. */
function arrivals({ context: { idempotency } }: TestApi): () => number {
  let count = 0;
  const { run } = idempotency;
  idempotency.run = (handler) => {
    count += 1;
    return run.call(idempotency, handler);
  };
  return () => count;
}
