import assert from 'node:assert/strict';
import { RecordGoneError } from '@gateway/jobs';
import { type Journal, JournalWriteError } from '../../../../apps/worker/src/saga/index.ts';
import { journalOf, late, making, Process, sagaSuite, type TestStep } from './world.ts';

describe('an interrupted saga', () => {
  const saga = sagaSuite();

  describe('with several resources in one step', () => {
    const [first, second] = ['a', 'b'] as const;

    /** Throws `error` once, before the second resource, and adopts what exists. */
    function makingBoth(error: Error): TestStep {
      let isBroken = true;
      const has = (name: string) => saga.world.things.some(({ step }) => step === name);
      return making('both', {
        onRepeat: 'adopts',
        run: async () => {
          for (const name of [first, second]) {
            if (name === second && isBroken) {
              isBroken = false;
              throw error;
            }
            if (!has(name)) saga.world.make(name);
          }
          return { both: saga.world.things.map(({ step }) => step).join() };
        },
        find: async () =>
          has(first) || has(second) ? [{ both: saga.world.things.map(({ step }) => step).join() }] : [],
      });
    }

    it('creates the missing ones after a process died between them', async () => {
      const step = makingBoth(new JournalWriteError(null));
      await assert.rejects(saga.run([step]), JournalWriteError);
      assert.deepEqual((await saga.run([step])).state, { both: 'a,b' });
      assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
    });

    it('creates the missing ones after a call between them failed', async () => {
      assert.deepEqual((await saga.run([makingBoth(late)])).state, { both: 'a,b' });
      assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
    });
  });

  describe('whose step was refused', () => {
    beforeEach(() => {
      saga.notebook.steps.set('a', { phase: 'refused' });
    });

    it('removes what the step creates when it runs again', async () => {
      const step = making('a', {
        run: async ({ world }) => {
          world.make('a');
          throw new Error('A fault.');
        },
      });
      assert.equal((await saga.run([step])).kind, 'failed');
      assert.deepEqual(saga.world.counts, {});
    });

    it('does not announce the step again', async () => {
      const beginUpdate = { step: 'a', progress: 1, message: 'Begun.' };
      await saga.run([
        making('a', { beginUpdate }),
        making('b', { beginUpdate: { ...beginUpdate, step: 'b' } }),
      ]);
      assert.deepEqual(
        saga.notebook.messages.map(({ step }) => step),
        ['b'],
      );
    });

    it('can be cancelled as if the step had not begun', async () => {
      const outcome = await saga.run([making('a', { commits: true })], { cancelled: AbortSignal.abort() });
      assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'cancelled');
      assert.deepEqual(saga.world.log, []);
    });
  });

  it('rolls back, however far it has got, when its job is aborted', async () => {
    await assert.rejects(saga.run([making('a'), making('b')], { process: new Process(9) }));
    const abortReason = { status: 500, code: 'internal_error', detail: 'Given up.' };
    const outcome = await saga.run([making('a'), making('b')], { abortReason });
    assert.deepEqual(outcome.kind === 'failed' && outcome.failure, abortReason);
    assert.deepEqual(saga.world.counts, {});
  });

  describe('whose record vanishes', () => {
    /** A journal whose record vanishes once the step has run. */
    function losing(name: string, onLost: () => void = () => {}): { steps: TestStep[]; journal: Journal } {
      const { load, storeTime, write } = journalOf(saga.notebook, new Process());
      let isGone = false;
      const settle = async () => {
        isGone = true;
        onLost();
        return undefined;
      };
      const journal: Journal = {
        load,
        storeTime,
        async write(...entry) {
          if (isGone) throw new RecordGoneError('job');
          await write(...entry);
        },
        async startRollback() {
          throw new RecordGoneError('job');
        },
      };
      return { steps: [making('a'), making(name, { settle })], journal };
    }

    it('removes what it has created', async () => {
      const { steps, journal } = losing('b');
      await saga.run(steps, { journal });
      assert.deepEqual(saga.world.counts, {});
    });

    it('does so even during a shutdown, since no other process could', async () => {
      const stop = new AbortController();
      const { steps, journal } = losing('b', () => stop.abort());
      await saga.run(steps, { journal, stopping: stop.signal });
      assert.deepEqual(saga.world.counts, {});
    });

    it('completes if a step has committed', async () => {
      const { steps, journal } = losing('b');
      const [a, b] = steps as [TestStep, TestStep];
      const outcome = await saga.run([{ ...b, commits: true }, a], { journal });
      assert.equal(outcome.kind, 'completed');
      assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
    });
  });

  it('searches in the rollback for what is as new as the step', async () => {
    const begunAt = Date.now() - 60_000;
    const sinces: number[] = [];
    saga.notebook.steps.set('a', { phase: 'begun', at: begunAt });
    const step = making('a', {
      async find({ since }) {
        sinces.push(since);
        return [];
      },
    });

    await saga.run([step], { cancelled: AbortSignal.abort() });

    assert.deepEqual(new Set(sinces), new Set([begunAt]));
  });

  it('does not roll back without its journal: a later run continues', async () => {
    const process = new Process();
    const journal = journalOf(saga.notebook, process);
    const write = async (...entry: Parameters<typeof journal.write>) => {
      if (entry[1].phase === 'done') throw new Error('OOM command not allowed');
      await journal.write(...entry);
    };
    const refusing = { ...journal, write };
    await assert.rejects(saga.run([making('a')], { journal: refusing }), JournalWriteError);
    assert.equal(saga.notebook.rollbackReason, null);
    assert.equal((await saga.run([making('a')])).kind, 'completed');
    assert.deepEqual(saga.world.log, ['make a']);
  });
});
