import assert from 'node:assert/strict';
import { conflict } from '@gateway/core';
import { making, sagaSuite } from './world.ts';

const refusal = conflict('busy', 'Refused.', {
  upstream: { service: 'compute', status: 409, request_id: null },
});
const ended = async () => true;

describe('a saga whose store was set back', () => {
  const saga = sagaSuite({ mayBeBehind: true });
  const failing = making('c', {
    run: async () => {
      throw refusal;
    },
    find: async () => [],
  });

  /** What the store has lost. */
  function forget(...names: string[]): void {
    for (const name of names) saga.notebook.steps.delete(name);
  }

  it('makes nothing twice that its journal does not have', async () => {
    const steps = [making('a'), making('b')];
    await saga.run(steps, { mayBeBehind: false });
    forget('a', 'b');

    const outcome = await saga.run(steps);

    assert.equal(outcome.kind, 'completed');
    assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
  });

  it('undoes what its journal does not have', async () => {
    await saga.run([making('a'), making('b'), making('d')], { mayBeBehind: false });
    forget('b', 'd');

    const outcome = await saga.run([making('a'), making('b'), failing, making('d')]);

    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(saga.world.counts, {});
  });

  it('undoes all parts of a step that its journal does not have', async () => {
    for (const onRepeat of ['adopts', 'rejected'] as const) {
      saga.reset();
      saga.world.make('b');
      saga.world.make('b');

      const outcome = await saga.run([making('a'), making('b', { onRepeat })], {
        cancelled: AbortSignal.abort(),
      });

      assert.equal(outcome.kind, 'failed', onRepeat);
      assert.deepEqual(saga.world.counts, {}, onRepeat);
    }
  });

  it('does not search for steps that cannot have begun', async () => {
    const lost = making('d', {
      find: async () => {
        throw new Error('The saga has no c yet.');
      },
    });
    const notTaken = making('e', { when: () => false });

    const outcome = await saga.run([making('a'), failing, lost, notTaken]);

    assert.deepEqual([outcome.kind, outcome.leftovers], ['failed', []]);
    assert.deepEqual(saga.world.counts, {});
  });

  it('rolls nothing back of a job that has ended before', async () => {
    await saga.run([making('a'), making('b')], { mayBeBehind: false });

    const outcome = await saga.run([making('a'), making('b'), failing], { hasEndedBefore: ended });

    assert.equal(outcome.kind, 'failed');
    assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'interrupted_by_restore');
    assert.deepEqual(outcome.leftovers, []);
    assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
    assert.equal(saga.notebook.rollbackReason, null);
  });

  it('makes nothing again that is gone since the job has ended', async () => {
    await saga.run([making('a')], { mayBeBehind: false });
    forget('a');
    saga.world.remove(saga.world.find('a') ?? '');

    const outcome = await saga.run([making('a')], { hasEndedBefore: ended });

    assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'interrupted_by_restore');
    assert.deepEqual(saga.world.counts, {});
  });

  it('grants nothing again that the end of the job has withdrawn', async () => {
    for (const onRepeat of ['adopts', 'rejected'] as const) {
      saga.reset();
      saga.notebook.steps.set('a', { phase: 'begun' });

      const outcome = await saga.run([making('a', { onRepeat })], { hasEndedBefore: ended });

      assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'interrupted_by_restore', onRepeat);
      assert.deepEqual(saga.world.counts, {});
    }
  });

  it('makes the rest of what a step has made in part', async () => {
    saga.world.make('a');
    const adopting = making('a', {
      onRepeat: 'adopts',
      run: async ({ world }) => ({ a: [...world.findAll('a'), world.make('a')].join() }),
    });

    const outcome = await saga.run([adopting], { hasEndedBefore: ended });

    assert.deepEqual([outcome.kind, outcome.state.a], ['completed', 'a-1,a-2']);
  });

  it('completes again what is there, though the job has ended before', async () => {
    await saga.run([making('a'), making('b')], { mayBeBehind: false });
    forget('b');

    const outcome = await saga.run([making('a'), making('b')], { hasEndedBefore: ended });

    assert.equal(outcome.kind, 'completed');
    assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
  });

  it('rolls nothing back that a step has committed', async () => {
    const commit = making('b', { commits: true });
    await saga.run([making('a'), commit], { mayBeBehind: false });
    forget('b');

    const outcome = await saga.run([making('a'), failing, commit]);

    assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'interrupted_by_restore');
    assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
  });

  it('rolls back for a user who cancels it', async () => {
    await saga.run([making('a')], { mayBeBehind: false });

    const outcome = await saga.run([making('a'), making('b')], {
      cancelled: AbortSignal.abort(),
      hasEndedBefore: ended,
    });

    assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'cancelled');
    assert.deepEqual(saga.world.counts, {});
  });
});
