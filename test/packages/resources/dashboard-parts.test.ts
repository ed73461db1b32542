import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  conflict,
  forbidden,
  notFound,
  rateLimited,
  unauthorized,
  upstreamTimeout,
  upstreamUnavailable,
} from '@gateway/core';
import { DashboardParts } from '../../../packages/resources/src/lists/dashboard-parts.ts';

describe('DashboardParts', () => {
  const failures = [upstreamUnavailable('Unavailable.'), upstreamTimeout('Slow.'), rateLimited('Busy.')];
  const refusals = [forbidden('No.'), notFound('Nothing.'), conflict('busy', 'Later.')];
  for (const error of [...failures, ...refusals]) {
    it(`leaves out a service that answers ${error.status}`, async () => {
      const parts = new DashboardParts(60_000);

      assert.deepEqual(
        await Promise.all([
          parts.read('network', () => Promise.reject(error)),
          parts.read('compute', async () => 'rows'),
        ]),
        [null, 'rows'],
      );
      assert.deepEqual(parts.unavailable, ['network']);
    });
  }

  it('leaves out a service that the cloud does not have', async () => {
    const parts = new DashboardParts(60_000);

    const read = async () => {
      throw upstreamUnavailable('Not in the catalog.');
    };

    assert.equal(await parts.read('network', read), null);
  });

  it('omits a service that responds too late, and ignores its response', async () => {
    const parts = new DashboardParts(1);
    let fail: (error: Error) => void = () => {};

    const answer = await parts.read('compute', () => new Promise((_, reject) => (fail = reject)));

    assert.deepEqual([answer, parts.unavailable], [null, ['compute']]);
    fail(new Error('nobody waits for this'));
    await delay(0);
  });

  for (const error of [unauthorized('No.'), new TypeError('a bug')]) {
    it(`fails with a refused token or a bug: ${error.message}`, async () => {
      const parts = new DashboardParts(60_000);

      await assert.rejects(
        parts.read('compute', () => Promise.reject(error)),
        error,
      );
    });
  }

  it('names each service once, sorted', async () => {
    const parts = new DashboardParts(60_000);
    const unavailable = () => Promise.reject(upstreamUnavailable('Unavailable.'));

    await Promise.all(
      (['network', 'compute', 'network'] as const).map((name) => parts.read(name, unavailable)),
    );

    assert.deepEqual(parts.unavailable, ['compute', 'network']);
  });
});
