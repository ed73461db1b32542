import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { JobContext } from '../../../apps/worker/src/jobs/job-context.ts';
import { watchForCancel } from '../../../apps/worker/src/jobs/watch-for-cancel.ts';

describe('watching for a cancellation', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  it('checks an unavailable store once at a time, and recovers afterwards', async () => {
    const answers: ((wishes: (string | null)[]) => void)[] = [];
    const store = { hmget: () => new Promise((resolve) => answers.push(resolve)) };
    const { signal, stop } = watchForCancel({
      worker: { redis: { store } },
      jobId: 'j',
    } as unknown as JobContext);
    for (let second = 0; second < 60; second++) mock.timers.tick(1_000);
    assert.equal(answers.length, 1);
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    answers[0]?.(['1', null]);
    await aborted;
    stop();
  });

  it('distinguishes a hold from a cancellation', async () => {
    const store = { hmget: async () => [null, '{}'] };
    const watched = watchForCancel({ worker: { redis: { store } }, jobId: 'j' } as unknown as JobContext);
    await new Promise(setImmediate);
    assert.deepEqual([watched.signal.aborted, watched.held.aborted], [false, true]);
    watched.stop();
  });

  it('checks again after a failed check', async () => {
    let looks = 0;
    const store = { hmget: () => Promise.reject(new Error(`Look ${++looks} failed.`)) };
    const { stop } = watchForCancel({ worker: { redis: { store } }, jobId: 'j' } as unknown as JobContext);
    await new Promise(setImmediate);
    mock.timers.tick(1_000);
    assert.equal(looks, 2);
    stop();
  });
});
