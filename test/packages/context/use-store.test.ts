import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { useStore } from '@gateway/context';
import { createClosers } from '@gateway/platform';

describe('the use of the store', () => {
  it('leaves no timer that delays the exit of a stopped process', async () => {
    const closers = createClosers();
    const storeUse = { hold: null, renewMs: 1000, renew: async () => null, end: async () => {} };
    const redis = { isReady: () => true, store: new EventEmitter() };
    await useStore({ closers, redis, storeUse } as never, new AbortController().signal);
    const withInterval = activeTimers();

    await closers.closeInReverse();

    assert.equal(activeTimers(), withInterval - 1);
  });
});

/** The timers for which this process would wait. */
function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
}
