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

  it('ends when the process stops during its first renewal', async () => {
    const closers = createClosers();
    const stopping = new AbortController();
    const renewal = Promise.withResolvers<null>();
    const done: string[] = [];
    const storeUse = {
      hold: null,
      renewMs: 1000,
      renew: () => renewal.promise,
      end: async () => void done.push('ended'),
    };
    const redis = { isReady: () => true, store: new EventEmitter() };
    const using = useStore({ closers, redis, storeUse } as never, stopping.signal);
    stopping.abort();
    renewal.resolve(null);
    await using;

    await closers.closeInReverse();

    assert.deepEqual(done, ['ended']);
  });
});

/** The timers for which this process would wait. */
function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
}
