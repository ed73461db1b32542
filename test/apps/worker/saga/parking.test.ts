import assert from 'node:assert/strict';
import { UpstreamError } from '@gateway/openstack';
import { ParkedError } from '../../../../apps/worker/src/saga/index.ts';
import { failingFirst, making, sagaSuite } from './world.ts';

describe('a saga that waits for an external event', () => {
  const saga = sagaSuite();

  it('parks without a rollback, and settles again when it resumes', async () => {
    let came = false;
    const step = making('a', {
      settle: async () => {
        if (!came) throw new ParkedError(5_000);
        return { extra: 'came' };
      },
    });
    await assert.rejects(
      saga.run([step]),
      (error) => error instanceof ParkedError && error.pauseMs === 5_000,
    );
    assert.equal(saga.notebook.rollbackReason, null);
    came = true;
    assert.deepEqual((await saga.run([step])).state, { a: 'a-1', extra: 'came' });
    assert.deepEqual(saga.world.counts, { a: 1 });
  });

  it('saves its results while it waits, and resumes with them', async () => {
    const heard: unknown[] = [];
    const step = making('a', {
      settle: async ({ state }, _result, tell) => {
        heard.push(state.word);
        if (state.word !== undefined) return undefined;
        await tell({ step: 'A', progress: 2, message: 'Half of it.' }, { word: 'half' });
        await tell(null, { extra: 'untold' });
        throw new ParkedError(1);
      },
    });
    await assert.rejects(saga.run([step]), ParkedError);
    assert.deepEqual((await saga.run([step])).state, { a: 'a-1', word: 'half', extra: 'untold' });
    assert.deepEqual(heard, [undefined, 'half']);
    assert.deepEqual(
      saga.notebook.messages.map(({ message }) => message),
      ['Making a.', 'Half of it.'],
    );
  });

  describe('while a service is unavailable', () => {
    const unavailableUpdate = (service: string) => ({
      step: 'A',
      progress: 0,
      message: `Waiting for ${service}.`,
    });
    const unavailable = new UpstreamError(503, 'upstream_unavailable', 'Unavailable.', {
      service: 'blockStorage',
      operation: 'volumes.list',
      upstreamStatus: 503,
      upstreamMessage: null,
      upstreamRequestId: null,
    });

    it('waits beyond all time limits, and says so once', async () => {
      const step = failingFirst(3, unavailable, { unavailableUpdate, find: undefined });
      for (const _ of [1, 2, 3]) await assert.rejects(saga.run([step]), ParkedError);
      assert.equal((await saga.run([step])).kind, 'completed');
      assert.deepEqual(
        saga.notebook.messages.map(({ message }) => message),
        ['Making a.', 'Waiting for block storage.'],
      );
      assert.equal(saga.notebook.rollbackReason, null);
    });

    it('fails if the service refuses, and when it is cancelled', async () => {
      const refusal = new UpstreamError(403, 'forbidden', 'No.', { ...unavailable, upstreamStatus: 403 });
      assert.equal((await saga.run([failingFirst(1, refusal, { unavailableUpdate })])).kind, 'failed');
      saga.notebook.rollbackReason = null;
      saga.notebook.steps.clear();
      const step = failingFirst(3, unavailable, { unavailableUpdate, find: undefined });
      await assert.rejects(saga.run([step]), ParkedError);
      const outcome = await saga.run([step], { cancelled: AbortSignal.abort() });
      assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'cancelled');
    });
  });

  it('publishes what it has created', async () => {
    const step = making('a', {
      appliedUpdate: { step: 'A', progress: 2, message: 'Made a.' },
      resourceId: () => 'a-1',
    });
    await saga.run([step]);
    assert.deepEqual(
      saga.notebook.messages.map(({ message }) => message),
      ['Making a.', 'Made a.'],
    );
    assert.equal(saga.notebook.resourceId, 'a-1');
  });

  it('rolls back when it is cancelled', async () => {
    const step = making('a', {
      settle: async () => {
        throw new ParkedError(5_000);
      },
    });
    await assert.rejects(saga.run([step]));
    const outcome = await saga.run([step], { cancelled: AbortSignal.abort() });
    assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'cancelled');
    assert.deepEqual(saga.world.counts, {});
  });

  it('passes the same start of the wait to each run', async () => {
    const seen: number[] = [];
    const step = making('a', {
      settle: async ({ since }) => {
        seen.push(since);
        throw new ParkedError(1);
      },
    });
    await assert.rejects(saga.run([step]));
    await assert.rejects(saga.run([step]));
    assert.equal(seen[0], seen[1]);
  });
});
