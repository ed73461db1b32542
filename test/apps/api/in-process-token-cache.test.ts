import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { systemClock } from '@gateway/core';
import { InProcessTokenCache } from '../../../apps/api/src/auth/in-process-token-cache.ts';

type Parts = ConstructorParameters<typeof InProcessTokenCache>[0];
type Cached = Parameters<InProcessTokenCache['put']>[2];

describe('the tokens that a process has seen valid', () => {
  /** Which tokens of two users remain after this message of another process. */
  function remaining(message: string): string[] {
    const subscriber = new EventEmitter();
    const cache = new InProcessTokenCache({
      subscriber: subscriber as unknown as Parts['subscriber'],
      channel: 'invalidated',
      sessions: {} as Parts['sessions'],
      maxAgeMs: 60_000,
      clock: systemClock,
      onInvalidate: () => {},
    });
    for (const userId of ['Jane Doe', 'jo']) {
      const cached = { caller: { identity: { userId } }, validUntil: Date.now() + 60_000 };
      cache.put(userId, 'p1', cached as unknown as Cached, cache.generation);
    }
    subscriber.emit('message', 'invalidated', message);
    return ['Jane Doe', 'jo'].filter((token) => cache.wasValid(token));
  }

  it('remain for users whom a message does not name', () => {
    assert.deepEqual(remaining('["Jane Doe"]'), ['jo']);
  });

  it('are accepted no longer after a fast clock is corrected', () => {
    let now = Date.now();
    const cache = new InProcessTokenCache({
      subscriber: new EventEmitter() as unknown as Parts['subscriber'],
      channel: 'invalidated',
      sessions: {} as Parts['sessions'],
      maxAgeMs: 60_000,
      clock: { now: () => now },
      onInvalidate: () => {},
    });
    const cached = { caller: { identity: { userId: 'jo' } }, validUntil: now + 60_000 };
    cache.put('token', 'p1', cached as unknown as Cached, cache.generation);
    assert.ok(cache.getWithoutStore('token', 'p1'));
    now -= 9 * 3_600_000;

    assert.equal(cache.getWithoutStore('token', 'p1'), null);
  });

  it('are dropped after a message of another release', () => {
    for (const message of ['jo somebody', '"jo"', '{}', ''])
      assert.deepEqual(remaining(message), [], message);
  });
});
