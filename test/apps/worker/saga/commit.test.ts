import assert from 'node:assert/strict';
import { GatewayError } from '@gateway/core';
import { JournalWriteError } from '../../../../apps/worker/src/saga/index.ts';
import { failingFirst, making, Process, type StepParts, sagaSuite, upstream } from './world.ts';

describe('a saga with a step that commits', () => {
  const saga = sagaSuite();

  const committing = (parts: StepParts = {}) => making('point', { commits: true, undo: undefined, ...parts });

  it('ignores a cancellation once the step may have run', async () => {
    const process = new Process(4);
    await assert.rejects(saga.run([committing(), making('after')], { process }));
    assert.equal(saga.notebook.steps.get('point')?.phase, 'begun');
    const outcome = await saga.run([committing(), making('after')], { cancelled: AbortSignal.abort() });
    assert.equal(outcome.kind, 'completed');
  });

  it('ignores a cancellation in earlier steps of a later run, too', async () => {
    const steps = [making('before'), committing(), making('after')];
    const cutOff = making('point', {
      commits: true,
      run: async () => Promise.reject(new JournalWriteError(null)),
    });
    await assert.rejects(saga.run([making('before'), cutOff, making('after')]), JournalWriteError);
    assert.equal(saga.notebook.steps.get('point')?.phase, 'begun');
    const outcome = await saga.run(steps, { cancelled: AbortSignal.abort() });
    assert.equal(outcome.kind, 'completed');
  });

  it('obeys a cancellation before the step', async () => {
    const outcome = await saga.run([committing()], { cancelled: AbortSignal.abort() });
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(saga.world.log, []);
  });

  it('retries later failures instead of rolling back', async () => {
    const steps = [making('before'), committing(), failingFirst(1, new Error('A fault.'))];
    await assert.rejects(saga.run(steps), /A fault/);
    assert.equal(saga.notebook.rollbackReason, null);
    assert.equal((await saga.run(steps)).kind, 'completed');
  });

  it('rolls back if the committing step itself is refused', async () => {
    const refused = committing({
      run: async () => {
        throw new GatewayError(409, 'conflict', 'Not now.', { upstream: { ...upstream, status: 409 } });
      },
    });
    const outcome = await saga.run([making('before'), refused]);
    assert.equal(outcome.kind === 'failed' && outcome.failure.detail, 'Not now.');
    assert.deepEqual(saga.world.counts, {});
  });
});
