import assert from 'node:assert/strict';
import { CachedIdentity, type Identity } from '@gateway/openstack';

const HOUR_MS = 3_600_000;
const call = { requestId: 'req-1' };

describe('an identity whose token was refused', () => {
  it('waits no longer after a clock that was ahead is corrected', async () => {
    let now = Date.UTC(2026, 0, 1);
    const pausesMs: number[] = [];
    const logIn = async () =>
      ({ token: 'first', expiresAt: new Date(now + HOUR_MS).toISOString() }) as Identity;
    const cached = new CachedIdentity(logIn, { now: () => now }, async (ms) => void pausesMs.push(ms));
    await cached.get(call);
    cached.invalidate('first');
    now -= 9 * HOUR_MS;

    await cached.get(call);

    assert.deepEqual(pausesMs, [1000]);
  });
});
