import assert from 'node:assert/strict';
import { conflict, GatewayError } from '@gateway/core';
import Joi from 'joi';
import type { RequestOptions } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { testEndpoints } from '../../support/api/test-endpoint.ts';
import { eventually } from '../../support/eventually.ts';

const DAY_SECONDS = 86_400;

describe('stored responses of requests with an Idempotency-Key', () => {
  const suite = apiSuite();
  const own = testEndpoints(suite);

  /** An endpoint whose result the request body chooses. */
  async function serve(http: Record<string, number> = {}) {
    const api = await suite.start({ settings: { http } });
    let acted = 0;
    const { call } = await own.serve(api, {
      body: Joi.object({ end: Joi.string() }),
      handler: async ({ body }) => {
        acted += 1;
        const { end } = body as { end?: string };
        if (end === 'refused') throw conflict('busy', 'In use.');
        if (end === 'failed') throw new GatewayError(502, 'upstream_error', 'It failed.');
        return { is: `thing ${acted}` };
      },
    });
    const send = (as: TestCaller, key: string | null, end?: string) => {
      const headers: RequestOptions['headers'] = key === null ? {} : { 'idempotency-key': key };
      return call({ as, body: { ...(end !== undefined && { end }) }, headers });
    };
    return { api, send, acted: () => acted };
  }

  it('stay a day after success, a minute after refusal, never after failure', async () => {
    const { api, send } = await serve();
    const caller = suite.cloud.validCaller(newCaller());

    await send(caller, 'key-1', 'failed');
    assert.deepEqual(await livesOf(api), []);
    await send(caller, 'key-2', 'refused');
    const [refusal = 0] = await livesOf(api);
    await send(caller, 'key-3');
    const [, success = 0] = (await livesOf(api)).toSorted((a, b) => a - b);

    assert.ok(refusal > 40 && refusal <= 60, String(refusal));
    assert.ok(success > DAY_SECONDS - 20 && success <= DAY_SECONDS, String(success));
  });

  it('of a refusal expire, and the next request runs', async () => {
    const { send, acted } = await serve({ idempotency_refusal_seconds: 1 });
    const caller = suite.cloud.validCaller(newCaller());
    await send(caller, 'key-1', 'refused');

    await eventually(async () => (await send(caller, 'key-1')).status === 200);

    assert.equal(acted(), 2);
  });

  it('are limited per user: another key is 429, before any work', async () => {
    const { send, acted } = await serve({ idempotency_keys_per_user: 2 });
    const caller = suite.cloud.validCaller(newCaller());
    const colleague = suite.cloud.validCaller(newCaller({ userId: 'u-2' }));
    await send(caller, 'key-1');
    await send(caller, 'key-2');

    const refused = await send(caller, 'key-3');

    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers['retry-after']) > DAY_SECONDS - 20, refused.headers['retry-after']);
    assert.match(refused.body.detail, /Idempotency-Keys/);
    assert.equal(acted(), 2);
    const others = [await send(caller, 'key-1'), await send(caller, null), await send(colleague, 'key-3')];
    assert.deepEqual(
      others.map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it('do not count for failed requests', async () => {
    const { send } = await serve({ idempotency_keys_per_user: 1 });
    const caller = suite.cloud.validCaller(newCaller());
    await send(caller, 'key-1', 'failed');

    assert.equal((await send(caller, 'key-2')).status, 200);
  });

  it('do not count once they have expired', async () => {
    const { api, send } = await serve({ idempotency_keys_per_user: 1, idempotency_refusal_seconds: 1 });
    const caller = suite.cloud.validCaller(newCaller());
    await send(caller, 'key-1', 'refused');
    assert.equal((await send(caller, 'key-2')).status, 429);

    await eventually(async () => (await send(caller, 'key-2')).status === 200);

    const [count = ''] = await api.context.redis.queue.keys(`${api.keyPrefix}{idempotency:*}`);
    assert.equal(await api.context.redis.queue.zcard(count), 1);
    const left = await api.context.redis.queue.ttl(count);
    assert.ok(left > 0 && left <= DAY_SECONDS, 'the count itself expires');
  });
});

/** The remaining lifetime of each record, in seconds. */
async function livesOf({ context, keyPrefix }: TestApi): Promise<number[]> {
  const { queue } = context.redis;
  const records = await queue.keys(`${keyPrefix}{idempotency:*}:*`);
  return Promise.all(records.map((record) => queue.ttl(record)));
}
