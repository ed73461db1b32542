import assert from 'node:assert/strict';
import { GatewayError, upstreamUnavailable } from '@gateway/core';
import { failingFirst, late, making, sagaSuite, upstream } from './world.ts';

const patient = { retryTimeoutMs: 60_000 };

describe('a saga that has ended', () => {
  const saga = sagaSuite();

  it('is swept for what a service created too late', async () => {
    const step = making('a', {
      run: async () => {
        throw late;
      },
    });
    const outcome = await saga.run([step]);
    assert.ok(outcome.kind === 'failed');
    assert.deepEqual([outcome.leftovers, outcome.isUncertain], [[], true]);
    saga.world.make('a');
    // More may appear later: the caller of the sweep decides when to stop.
    assert.deepEqual(await saga.sweep([step]), { leftovers: [], isUncertain: true });
    assert.deepEqual(saga.world.counts, {});
  });

  for (const end of ['completed', 'failed'] as const) {
    it(`is swept for late effects of what settles: ${end}`, async () => {
      const step = making('a', { settle: async () => undefined, isUncertain: () => true });
      const next = failingFirst(end === 'failed' ? 1 : 0, new Error('A fault.'), { name: 'b' });
      const outcome = await saga.run([step, next]);
      assert.deepEqual([outcome.kind, outcome.isUncertain], [end, true]);
      const atEnd = { ...saga.world.counts };
      saga.world.make('a');

      assert.deepEqual(await saga.sweep([step, next]), { leftovers: [], isUncertain: true });
      assert.deepEqual(saga.world.counts, atEnd);
    });
  }

  it('says that a search for late effects has failed', async () => {
    let isAway = true;
    const step = making('a', {
      settle: async () => undefined,
      isUncertain: () => true,
      find: async ({ world }) => {
        if (isAway) throw late;
        return world.findAll('a').map((a) => ({ a }));
      },
    });
    await saga.run([step]);
    saga.world.make('a');
    const uncertain = { leftovers: [], isUncertain: true };

    assert.deepEqual(await saga.sweep([step]), { ...uncertain, hasFailedSearch: true });
    isAway = false;
    assert.deepEqual(await saga.sweep([step]), uncertain);
    assert.deepEqual(saga.world.counts, { a: 1 });
  });

  for (const isUncertain of [true, false]) {
    it(`needs its owner only for late effects: ${isUncertain}`, async () => {
      const settled = { settle: async () => undefined, isUncertain: () => isUncertain };
      const outcome = await saga.run([making('a', { ...settled, sweepsAsOwner: true })]);

      assert.equal(outcome.kind === 'completed' && outcome.needsOwner, isUncertain || undefined);
    });
  }

  it('is certain about a step that was refused', async () => {
    const step = failingFirst(
      1,
      new GatewayError(400, 'invalid_input', 'No.', { upstream: { ...upstream, status: 400 } }),
    );
    const outcome = await saga.run([step]);
    assert.equal(outcome.kind === 'failed' && outcome.isUncertain, false);
    assert.equal(saga.notebook.steps.get('a')?.phase, 'refused');
  });

  describe('does not assume that nothing was created', () => {
    const refusal = new GatewayError(403, 'forbidden', 'No.', { upstream: { ...upstream, status: 403 } });

    it('if only the last of several attempts was refused', async () => {
      const errors = [upstreamUnavailable('Unavailable.', { upstream, retryAfterSeconds: 0.01 }), refusal];
      const step = making('a', { run: () => Promise.reject(errors.shift()) });
      const outcome = await saga.run([step], patient);
      assert.equal(outcome.kind === 'failed' && outcome.isUncertain, true);
    });

    it('if the find was refused', async () => {
      saga.notebook.steps.set('a', { phase: 'begun' });
      saga.world.make('a');
      let looks = 0;
      const step = making('a', {
        find: async ({ world }) => {
          if (++looks === 1) throw refusal;
          return world.findAll('a').map((a) => ({ a }));
        },
      });
      const outcome = await saga.run([step]);
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual(outcome.leftovers, []);
      assert.deepEqual(saga.world.counts, {});
    });

    it('if the step makes several calls, and one of them was refused', async () => {
      const step = making('a', {
        onRepeat: 'adopts',
        run: async ({ world }) => {
          world.make('a');
          throw refusal;
        },
      });
      const outcome = await saga.run([step]);
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual(saga.world.counts, {});
    });
  });

  it('retries the removal of its leftovers', async () => {
    let isStuck = true;
    const stuck = making('a', {
      undo: async ({ world }, { a = '' }) => {
        if (isStuck) throw new Error('Stuck.');
        world.remove(a);
      },
    });
    const failing = failingFirst(1, new Error('A fault.'), { name: 'b' });
    const outcome = await saga.run([stuck, failing]);
    assert.equal(outcome.kind === 'failed' && outcome.leftovers.length, 1);
    assert.equal((await saga.sweep([stuck, failing])).leftovers.length, 1);
    isStuck = false;
    assert.deepEqual((await saga.sweep([stuck, failing])).leftovers, []);
    assert.deepEqual(saga.world.counts, {});
  });

  it('retries the removal of leftovers of a completed job', async () => {
    const left = (id: string) => ({ type: 'thing', id, reason: 'Stuck.' });
    const step = making('a', {
      leftovers: ({ left: id }) => (id === '' || id === undefined ? [] : [left(id)]),
      run: async () => ({ left: 'x' }),
      sweep: async () => ({ left: '' }),
    });
    const outcome = await saga.run([step]);
    assert.deepEqual([outcome.kind, outcome.leftovers], ['completed', [left('x')]]);
    assert.deepEqual(await saga.sweep([step]), { leftovers: [], isUncertain: false });
    assert.deepEqual(await saga.sweep([step]), { leftovers: [], isUncertain: false });
  });
});
