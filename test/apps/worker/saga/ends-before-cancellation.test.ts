import assert from 'node:assert/strict';
import { ParkedError, ReleasedError } from '../../../../apps/worker/src/saga/index.ts';
import { making, Process, type StepParts, sagaSuite } from './world.ts';

describe('a step that ends before a cancellation', () => {
  const saga = sagaSuite();
  const cancelled = AbortSignal.abort();

  /** As a removal: nothing finds what an earlier run has done, and no rollback restores it. */
  const removal = (parts: StepParts = {}) =>
    making('a', {
      endsBeforeCancellation: true,
      onRepeat: 'idempotent',
      find: undefined,
      undo: undefined,
      ...parts,
    });

  async function endsOnce(steps: ReturnType<typeof making>[]): Promise<void> {
    const outcome = await saga.run(steps, { cancelled });
    assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'cancelled');
    assert.deepEqual(saga.world.counts, { a: 1 });
    assert.equal(saga.notebook.steps.get('a')?.phase, 'done');
  }

  it('is completed after the death of its process', async () => {
    const steps = [making('before'), removal(), making('b')];
    await assert.rejects(saga.run(steps, { process: new Process(10) }));
    assert.equal(saga.notebook.steps.get('a')?.phase, 'begun');

    await endsOnce(steps);
  });

  it('is not begun any more', async () => {
    await saga.run([removal()], { cancelled });

    assert.deepEqual(saga.world.log, []);
  });

  it('is completed after waits, and by another process', async () => {
    const cancel = new AbortController();
    const errors = [new ParkedError(1)];
    const run: StepParts['run'] = async ({ signal, world }) => {
      cancel.abort();
      assert.equal(signal.aborted, false);
      const error = errors.shift();
      if (error !== undefined) throw error;
      return { a: world.make('a') };
    };
    const steps = [removal({ run }), making('b')];
    await assert.rejects(saga.run(steps, { cancelled: cancel.signal }), ParkedError);
    await assert.rejects(saga.run(steps, { cancelled, stopping: AbortSignal.abort() }), ReleasedError);
    assert.equal(saga.notebook.rollbackReason, null);

    await endsOnce(steps);
  });

  it('ends the job with its own failure', async () => {
    const cancel = new AbortController();
    const step = removal({
      run: async () => {
        cancel.abort();
        throw new Error('A fault.');
      },
    });

    const outcome = await saga.run([step], { cancelled: cancel.signal });

    assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'internal_error');
  });
});
