import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { GatewayError, newId, Sealer } from '@gateway/core';
import { createLogger } from '@gateway/platform';
import {
  Idempotency,
  type IdempotencyOptions,
  type IdempotentHandler,
} from '../../../apps/api/src/http/idempotency/idempotency.ts';
import { type KeyedRequest, keyedRequest } from '../../../apps/api/src/http/idempotency/key.ts';
import { IdempotencyStore } from '../../../apps/api/src/http/idempotency/store.ts';
import type { StoredResponse } from '../../../apps/api/src/http/idempotency/stored-response.ts';
import type { Reply } from '../../../apps/api/src/http/response/results.ts';
import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRedis, freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';

const older = { id: 'k1', key: randomBytes(32) };
const newer = { id: 'k2', key: randomBytes(32) };

describe('the lease of a request on its key', () => {
  const opened: { close(): unknown }[] = [];

  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  /** The parts of one process, with its own connection. */
  async function startProcess(
    options: Partial<IdempotencyOptions> & {
      keyPrefix?: string;
      url?: string;
      keys?: (typeof older)[];
    } = {},
  ) {
    const { keyPrefix = freshKeyPrefix('lease'), url = testRedisUrl(), keys = [older], ...rest } = options;
    const redis = await connectRedis({ url, keyPrefix, retryPolicy: 'fail-fast' });
    const sealer = new Sealer(keys);
    const store = new IdempotencyStore(redis.store, sealer, { keysPerCaller: 0 });
    const log = captureLogLines();
    const idempotency = new Idempotency({
      redis: redis.store,
      store,
      logger: createLogger({ level: 'debug', format: 'json', service: 'api' }, log.stream),
      windowMs: 600_000,
      refusalMs: 60_000,
      jobWindowMs: 600_000,
      ...rest,
    });
    opened.push(redis, idempotency);
    return { idempotency, keyPrefix, log, redis, sealer, store };
  }

  function requestFor(sealer: Sealer, sent: unknown = {}): KeyedRequest {
    return keyedRequest(
      sealer,
      { key: 'key-1', caller: 'user:u-1', projectId: 'p-1', path: '/api/things', params: {} },
      sent,
    );
  }

  function handler(request: KeyedRequest, handle: IdempotentHandler['handle']): IdempotentHandler {
    return { request, status: 201, handle, onReplay: () => {} };
  }

  it('expires with its process: the next request runs', async () => {
    const { idempotency, sealer, store } = await startProcess();
    const request = requestFor(sealer);
    // The process of this lease has died.
    await store.reserve(request, newId(), { ttlMs: 600_000, leaseMs: 200 });

    const answer = await idempotency.run(handler(request, async () => ({ is: 'anew' })));

    assert.deepEqual(answer, { is: 'anew' });
  });

  it('lasts as long as the handler runs', async () => {
    const { idempotency, redis, sealer, store } = await startProcess({ leaseMs: 600 });
    const request = requestFor(sealer);
    const gate = Promise.withResolvers<void>();
    const acting = idempotency.run(handler(request, () => gate.promise));
    const leaseKey = `{idempotency:${request.caller}}:${request.digest}:lease`;

    // The remaining time increases with each renewal.
    for (let renewals = 0, before = Number.POSITIVE_INFINITY; renewals < 3; ) {
      const left = await redis.store.pttl(leaseKey);
      if (left > before) renewals += 1;
      before = left;
    }
    const held = await store.reserve(request, newId(), { ttlMs: 600_000, leaseMs: 600 });
    assert.equal(held.kind, 'in_progress');

    gate.resolve();
    await acting;
    const { kind } = await store.reserve(request, newId(), { ttlMs: 600_000, leaseMs: 600 });
    assert.equal(kind, 'completed');
  });

  it('makes other requests wait, until they get that it is in progress', async () => {
    const { idempotency, sealer } = await startProcess({ waitMs: 250 });
    const request = requestFor(sealer);
    const gate = Promise.withResolvers<void>();
    const acting = idempotency.run(handler(request, () => gate.promise));

    const refusal = await idempotency
      .run(handler(request, async () => assert.fail('acted twice')))
      .catch((error: unknown) => error);

    gate.resolve();
    await acting;
    assert.ok(refusal instanceof GatewayError);
    assert.deepEqual([refusal.status, refusal.code], [409, 'idempotency_in_progress']);
    assert.ok((refusal.retryAfterSeconds ?? 0) > 0);
  });

  it('is lost after a takeover: the earlier response is not stored', async () => {
    const { sealer, store } = await startProcess();
    const request = requestFor(sealer);
    const [frozen, next] = [newId(), newId()];
    const late: StoredResponse = { status: 201, body: 'late' };
    const good: StoredResponse = { status: 201, body: 'good' };
    await store.reserve(request, frozen, { ttlMs: 600_000, leaseMs: 1 });
    await eventually(async () => {
      const { kind } = await store.reserve(request, next, { ttlMs: 600_000, leaseMs: 60_000 });
      return kind === 'acquired';
    });

    await store.renew(request, frozen, 1);
    await store.complete(request, frozen, late, 600_000);
    await store.release(request, frozen);
    await store.complete(request, next, good, 600_000);

    const found = await store.reserve(request, newId(), { ttlMs: 600_000, leaseMs: 1 });
    assert.deepEqual(found, { kind: 'completed', response: good });
  });

  it('survives a rotation of sealing keys while the old key is configured', async () => {
    const before = await startProcess();
    await before.idempotency.run(handler(requestFor(before.sealer), async () => ({ is: 'first' })));

    const after = await startProcess({ keyPrefix: before.keyPrefix, keys: [newer, older] });
    const request = requestFor(after.sealer);
    const again = (await after.idempotency.run(
      handler(request, async () => assert.fail('acted twice')),
    )) as Reply;
    const other = after.idempotency.run(
      handler(requestFor(after.sealer, { size: 2 }), async () => assert.fail('acted twice')),
    );

    assert.deepEqual([again.status, again.body], [201, { is: 'first' }]);
    await assert.rejects(other, { code: 'idempotency_mismatch' });
  });

  it("is rejected without repetition once its fingerprint's key is removed", async () => {
    const before = await startProcess();
    await before.idempotency.run(handler(requestFor(before.sealer), async () => ({ is: 'first' })));

    const after = await startProcess({ keyPrefix: before.keyPrefix, keys: [newer] });
    const again = after.idempotency.run(
      handler(requestFor(after.sealer), async () => assert.fail('acted twice')),
    );

    await assert.rejects(again, { code: 'idempotency_mismatch' });
  });

  describe('on a Redis that becomes unavailable', function () {
    this.timeout(120_000);
    let redis: RunningRedis;

    before(async () => {
      redis = await startRedis();
    });
    after(() => redis.stop());

    it('sends the response at once, and stores it after the outage', async () => {
      const { idempotency, log, redis: connections, sealer, store } = await startProcess({ url: redis.url });
      const request = requestFor(sealer);

      const answer = await idempotency.run(
        handler(request, async () => {
          await redis.kill('SIGKILL');
          await eventually(async () => connections.store.status !== 'ready');
          return { is: 'done' };
        }),
      );
      assert.deepEqual(answer, { is: 'done' });
      await eventually(async () => {
        const [line] = log.withMessage(
          'Failed to store the result of a request with an idempotency key; retrying',
        );
        return line;
      });

      await redis.restart();
      const found = await eventually(async () => {
        const reservation = await store.reserve(request, newId(), { ttlMs: 600_000, leaseMs: 0 });
        return reservation.kind === 'completed' ? reservation : undefined;
      });
      assert.deepEqual(found.response, { status: 201, body: { is: 'done' } });
    });
  });
});
