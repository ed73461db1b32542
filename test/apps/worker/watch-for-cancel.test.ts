import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { JobFacts } from '../../../apps/worker/src/jobs/job-run.ts';
import { watchForCancel } from '../../../apps/worker/src/jobs/watch-for-cancel.ts';

describe('the watch for a cancellation', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  it('asks a store that is away once, and hears of the wish when it is back', async () => {
    const answers: ((wish: string) => void)[] = [];
    const store = { hget: () => new Promise<string>((resolve) => answers.push(resolve)) };
    const { signal, stop } = watchForCancel({
      context: { redis: { store } },
      jobId: 'j',
    } as unknown as JobFacts);
    for (let second = 0; second < 60; second++) mock.timers.tick(1_000);
    assert.equal(answers.length, 1);
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    answers[0]?.('1');
    await aborted;
    stop();
  });

  it('looks again after a look that failed', async () => {
    let looks = 0;
    const store = { hget: () => Promise.reject(new Error(`Look ${++looks} failed.`)) };
    const { stop } = watchForCancel({ context: { redis: { store } }, jobId: 'j' } as unknown as JobFacts);
    await new Promise(setImmediate);
    mock.timers.tick(1_000);
    assert.equal(looks, 2);
    stop();
  });
});
