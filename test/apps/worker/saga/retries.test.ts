import assert from 'node:assert/strict';
import { GatewayError, rateLimited, upstreamUnavailable } from '@gateway/core';
import { failingFirst, late, making, sagaSuite, upstream } from './world.ts';

const patient = { retryTimeoutMs: 60_000 };

describe('a saga whose service is busy or unavailable', () => {
  const saga = sagaSuite();

  const asked = [
    rateLimited('Slowly.', { upstream: { ...upstream, status: 429 }, retryAfterSeconds: 0.01 }),
    upstreamUnavailable('Unavailable.', { upstream, retryAfterSeconds: 0.01 }),
    new GatewayError(502, 'upstream_error', 'Busy.', { upstream, retryAfterSeconds: 0.01 }),
  ];

  it('retries, and creates one resource', async () => {
    for (const error of asked) {
      saga.reset();
      assert.equal((await saga.run([failingFirst(2, error)], patient)).kind, 'completed');
      assert.deepEqual(saga.world.counts, { a: 1 });
    }
  });

  it('does not retry immediately if the service asks for no delay', async () => {
    const hasty = rateLimited('Slowly.', { upstream: { ...upstream, status: 429 }, retryAfterSeconds: 0 });
    const step = failingFirst(1_000_000, hasty);
    let retries = 0;
    await saga.run([step], { retryTimeoutMs: 100, events: { onRetry: () => void ++retries } });
    assert.equal(retries, 0);
  });

  it('adopts a resource that a failed call created after all', async () => {
    const [, unavailable] = asked;
    let calls = 0;
    let looks = 0;
    const step = making('a', {
      run: async () => {
        calls += 1;
        throw unavailable;
      },
      // Only the second find sees it.
      find: async () => (++looks === 1 ? [] : [{ a: 'a-1' }]),
    });
    const outcome = await saga.run([step], patient);
    assert.deepEqual([outcome.kind, outcome.state.a, calls], ['completed', 'a-1', 1]);
  });

  it('repeats an idempotent step whose response was lost if it finds nothing', async () => {
    const step = failingFirst(1, late, { onRepeat: 'idempotent' });
    assert.equal((await saga.run([step], patient)).kind, 'completed');
    assert.deepEqual(saga.world.counts, { a: 1 });
    saga.reset();
    assert.equal((await saga.run([failingFirst(1, late)], patient)).kind, 'failed');
  });

  it('fails after the retry timeout', async () => {
    const outcome = await saga.run([failingFirst(1, asked[0] as Error)], { retryTimeoutMs: 0 });
    assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'rate_limited');
  });
});
