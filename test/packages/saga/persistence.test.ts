import assert from 'node:assert/strict';
import { GatewayError, rateLimited, upstreamTimeout, upstreamUnavailable } from '@gateway/core';
import { RecordGoneError } from '@gateway/jobs';
import { type Journal, JournalWriteError, ParkedError, sweepSaga } from '@gateway/saga';
import { journalOf, making, Notebook, Process, runnerIn, sagaRun, type TestStep, World } from './world.ts';

type StepParts = NonNullable<Parameters<typeof making>[1]>;

const upstream = { service: 'compute', status: 503, request_id: null };
const late = upstreamTimeout('Late.', { upstream: { ...upstream, status: null } });
const patient = { retryTimeoutMs: 60_000 };

describe('a saga', () => {
  let world: World;
  let notebook: Notebook;

  beforeEach(() => {
    world = new World();
    notebook = new Notebook();
  });

  const run = runnerIn(() => ({ world, notebook }));

  function sweep(steps: readonly TestStep[]) {
    return sweepSaga(sagaRun({ steps, world, notebook }));
  }

  /** A step whose service fails this many times before it creates anything. */
  function failingFirst(times: number, error: Error, parts: StepParts = {}): TestStep {
    let calls = 0;
    return making('a', {
      run: async ({ world }) => {
        if (++calls <= times) throw error;
        return { a: world.make('a') };
      },
      ...parts,
    });
  }

  describe('whose service is busy or unavailable', () => {
    const asked = [
      rateLimited('Slowly.', { upstream: { ...upstream, status: 429 }, retryAfterSeconds: 0.01 }),
      upstreamUnavailable('Unavailable.', { upstream, retryAfterSeconds: 0.01 }),
      new GatewayError(502, 'upstream_error', 'Busy.', { upstream, retryAfterSeconds: 0.01 }),
    ];

    it('retries, and creates one resource', async () => {
      for (const error of asked) {
        [world, notebook] = [new World(), new Notebook()];
        assert.equal((await run([failingFirst(2, error)], patient)).kind, 'completed');
        assert.deepEqual(world.counts, { a: 1 });
      }
    });

    it('does not retry immediately if the service asks for no delay', async () => {
      const hasty = rateLimited('Slowly.', { upstream: { ...upstream, status: 429 }, retryAfterSeconds: 0 });
      const step = failingFirst(1_000_000, hasty);
      let retries = 0;
      await run([step], { retryTimeoutMs: 100, events: { onRetry: () => void ++retries } });
      assert.equal(retries, 0);
    });

    it('adopts a resource that a failed call created after all', async () => {
      const [, unavailable] = asked;
      let calls = 0;
      let looks = 0;
      const step = making('a', {
        run: async () => {
          calls += 1;
          throw unavailable;
        },
        // Only the second find sees it.
        find: async () => (++looks === 1 ? [] : [{ a: 'a-1' }]),
      });
      const outcome = await run([step], patient);
      assert.deepEqual([outcome.kind, outcome.state.a, calls], ['completed', 'a-1', 1]);
    });

    it('repeats an idempotent step whose response was lost if it finds nothing', async () => {
      const step = failingFirst(1, late, { onRepeat: 'idempotent' });
      assert.equal((await run([step], patient)).kind, 'completed');
      assert.deepEqual(world.counts, { a: 1 });
      [world, notebook] = [new World(), new Notebook()];
      assert.equal((await run([failingFirst(1, late)], patient)).kind, 'failed');
    });

    it('fails after the retry timeout', async () => {
      const outcome = await run([failingFirst(1, asked[0] as Error)], { retryTimeoutMs: 0 });
      assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'rate_limited');
    });
  });

  describe('that waits for an external event', () => {
    it('parks without a rollback, and settles again when it resumes', async () => {
      let came = false;
      const step = making('a', {
        settle: async () => {
          if (!came) throw new ParkedError(5_000);
          return { extra: 'came' };
        },
      });
      await assert.rejects(run([step]), (error) => error instanceof ParkedError && error.pauseMs === 5_000);
      assert.equal(notebook.rollbackReason, null);
      came = true;
      assert.deepEqual((await run([step])).state, { a: 'a-1', extra: 'came' });
      assert.deepEqual(world.counts, { a: 1 });
    });

    it('saves its results while it waits, and resumes with them', async () => {
      const heard: unknown[] = [];
      const step = making('a', {
        settle: async ({ state }, _result, tell) => {
          heard.push(state.word);
          if (state.word !== undefined) return undefined;
          await tell({ step: 'A', progress: 2, message: 'Half of it.' }, { word: 'half' });
          throw new ParkedError(1);
        },
      });
      await assert.rejects(run([step]), ParkedError);
      assert.deepEqual((await run([step])).state, { a: 'a-1', word: 'half' });
      assert.deepEqual(heard, [undefined, 'half']);
      assert.deepEqual(
        notebook.messages.map(({ message }) => message),
        ['Making a.', 'Half of it.'],
      );
    });

    it('publishes what it has created', async () => {
      const step = making('a', {
        appliedUpdate: { step: 'A', progress: 2, message: 'Made a.' },
        resourceId: () => 'a-1',
      });
      await run([step]);
      assert.deepEqual(
        notebook.messages.map(({ message }) => message),
        ['Making a.', 'Made a.'],
      );
      assert.equal(notebook.resourceId, 'a-1');
    });

    it('rolls back when it is cancelled', async () => {
      const step = making('a', {
        settle: async () => {
          throw new ParkedError(5_000);
        },
      });
      await assert.rejects(run([step]));
      const outcome = await run([step], { cancelled: AbortSignal.abort() });
      assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'cancelled');
      assert.deepEqual(world.counts, {});
    });

    it('passes the same start of the wait to each run', async () => {
      const seen: number[] = [];
      const step = making('a', {
        settle: async ({ since }) => {
          seen.push(since);
          throw new ParkedError(1);
        },
      });
      await assert.rejects(run([step]));
      await assert.rejects(run([step]));
      assert.equal(seen[0], seen[1]);
    });
  });

  describe('with a step that commits', () => {
    const committing = (parts: StepParts = {}) =>
      making('point', { commits: true, undo: undefined, ...parts });

    it('ignores a cancellation once the step may have run', async () => {
      const process = new Process(4);
      await assert.rejects(run([committing(), making('after')], { process }));
      assert.equal(notebook.steps.get('point')?.phase, 'begun');
      const outcome = await run([committing(), making('after')], { cancelled: AbortSignal.abort() });
      assert.equal(outcome.kind, 'completed');
    });

    it('ignores a cancellation in earlier steps of a later run, too', async () => {
      const steps = [making('before'), committing(), making('after')];
      const cutOff = making('point', {
        commits: true,
        run: async () => Promise.reject(new JournalWriteError(null)),
      });
      await assert.rejects(run([making('before'), cutOff, making('after')]), JournalWriteError);
      assert.equal(notebook.steps.get('point')?.phase, 'begun');
      const outcome = await run(steps, { cancelled: AbortSignal.abort() });
      assert.equal(outcome.kind, 'completed');
    });

    it('obeys a cancellation before the step', async () => {
      const outcome = await run([committing()], { cancelled: AbortSignal.abort() });
      assert.equal(outcome.kind, 'failed');
      assert.deepEqual(world.log, []);
    });

    it('retries later failures instead of rolling back', async () => {
      const steps = [making('before'), committing(), failingFirst(1, new Error('A fault.'))];
      await assert.rejects(run(steps), /A fault/);
      assert.equal(notebook.rollbackReason, null);
      assert.equal((await run(steps)).kind, 'completed');
    });

    it('rolls back if the committing step itself is refused', async () => {
      const refused = committing({
        run: async () => {
          throw new GatewayError(409, 'conflict', 'Not now.', { upstream: { ...upstream, status: 409 } });
        },
      });
      const outcome = await run([making('before'), refused]);
      assert.equal(outcome.kind === 'failed' && outcome.failure.detail, 'Not now.');
      assert.deepEqual(world.counts, {});
    });
  });

  describe('that creates several resources in one step', () => {
    const [first, second] = ['a', 'b'] as const;

    /** Throws `error` once, before the second resource, and adopts what exists. */
    function makingBoth(error: Error): TestStep {
      let isBroken = true;
      const has = (name: string) => world.things.some(({ step }) => step === name);
      return making('both', {
        onRepeat: 'adopts',
        run: async () => {
          for (const name of [first, second]) {
            if (name === second && isBroken) {
              isBroken = false;
              throw error;
            }
            if (!has(name)) world.make(name);
          }
          return { both: world.things.map(({ step }) => step).join() };
        },
        find: async () =>
          has(first) || has(second) ? [{ both: world.things.map(({ step }) => step).join() }] : [],
      });
    }

    it('creates the missing ones after a process died between them', async () => {
      const step = makingBoth(new JournalWriteError(null));
      await assert.rejects(run([step]), JournalWriteError);
      assert.deepEqual((await run([step])).state, { both: 'a,b' });
      assert.deepEqual(world.counts, { a: 1, b: 1 });
    });

    it('creates the missing ones after a call between them failed', async () => {
      assert.deepEqual((await run([makingBoth(late)])).state, { both: 'a,b' });
      assert.deepEqual(world.counts, { a: 1, b: 1 });
    });
  });

  describe('that was interrupted after a step was refused', () => {
    beforeEach(() => {
      notebook.steps.set('a', { phase: 'refused' });
    });

    it('removes what the step creates when it runs again', async () => {
      const step = making('a', {
        run: async ({ world }) => {
          world.make('a');
          throw new Error('A fault.');
        },
      });
      assert.equal((await run([step])).kind, 'failed');
      assert.deepEqual(world.counts, {});
    });

    it('can be cancelled as if the step had not begun', async () => {
      const outcome = await run([making('a', { commits: true })], { cancelled: AbortSignal.abort() });
      assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'cancelled');
      assert.deepEqual(world.log, []);
    });
  });

  it('rolls back, however far it has got, when its job is aborted', async () => {
    await assert.rejects(run([making('a'), making('b')], { process: new Process(9) }));
    const abortReason = { status: 500, code: 'internal_error', detail: 'Given up.' };
    const outcome = await run([making('a'), making('b')], { abortReason });
    assert.deepEqual(outcome.kind === 'failed' && outcome.failure, abortReason);
    assert.deepEqual(world.counts, {});
  });

  describe('whose record vanishes', () => {
    /** A journal whose record vanishes once the step has run. */
    function losing(name: string, onLost: () => void = () => {}): { steps: TestStep[]; journal: Journal } {
      const { load, write } = journalOf(notebook, new Process());
      let isGone = false;
      const settle = async () => {
        isGone = true;
        onLost();
        return undefined;
      };
      const journal: Journal = {
        load,
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
      await run(steps, { journal });
      assert.deepEqual(world.counts, {});
    });

    it('does so even during a shutdown, since no other process could', async () => {
      const stop = new AbortController();
      const { steps, journal } = losing('b', () => stop.abort());
      await run(steps, { journal, stopping: stop.signal });
      assert.deepEqual(world.counts, {});
    });

    it('completes if a step has committed', async () => {
      const { steps, journal } = losing('b');
      const [a, b] = steps as [TestStep, TestStep];
      const outcome = await run([{ ...b, commits: true }, a], { journal });
      assert.equal(outcome.kind, 'completed');
      assert.deepEqual(world.counts, { a: 1, b: 1 });
    });
  });

  it('does not roll back without its journal: a later run continues', async () => {
    const process = new Process();
    const journal = journalOf(notebook, process);
    const write = async (...entry: Parameters<typeof journal.write>) => {
      if (entry[1].phase === 'done') throw new Error('OOM command not allowed');
      await journal.write(...entry);
    };
    const refusing = { load: journal.load, write, startRollback: journal.startRollback };
    await assert.rejects(run([making('a')], { journal: refusing }), JournalWriteError);
    assert.equal(notebook.rollbackReason, null);
    assert.equal((await run([making('a')])).kind, 'completed');
    assert.deepEqual(world.log, ['make a']);
  });

  describe('that has ended', () => {
    it('is swept for what a service created too late', async () => {
      const step = making('a', {
        run: async () => {
          throw late;
        },
      });
      const outcome = await run([step]);
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual([outcome.leftovers, outcome.isUncertain], [[], true]);
      world.make('a');
      // More may appear later: the caller of the sweep decides when to stop.
      assert.deepEqual(await sweep([step]), { leftovers: [], isUncertain: true });
      assert.deepEqual(world.counts, {});
    });

    it('is certain about a step that was refused', async () => {
      const step = failingFirst(
        1,
        new GatewayError(400, 'invalid_input', 'No.', { upstream: { ...upstream, status: 400 } }),
      );
      const outcome = await run([step]);
      assert.equal(outcome.kind === 'failed' && outcome.isUncertain, false);
      assert.equal(notebook.steps.get('a')?.phase, 'refused');
    });

    describe('does not assume that nothing was created', () => {
      const refusal = new GatewayError(403, 'forbidden', 'No.', { upstream: { ...upstream, status: 403 } });

      it('if only the last of several attempts was refused', async () => {
        const errors = [upstreamUnavailable('Unavailable.', { upstream, retryAfterSeconds: 0.01 }), refusal];
        const step = making('a', { run: () => Promise.reject(errors.shift()) });
        const outcome = await run([step], patient);
        assert.equal(outcome.kind === 'failed' && outcome.isUncertain, true);
      });

      it('if the find was refused', async () => {
        notebook.steps.set('a', { phase: 'begun' });
        world.make('a');
        let looks = 0;
        const step = making('a', {
          find: async ({ world }) => {
            if (++looks === 1) throw refusal;
            return world.findAll('a').map((a) => ({ a }));
          },
        });
        const outcome = await run([step]);
        assert.ok(outcome.kind === 'failed');
        assert.deepEqual(outcome.leftovers, []);
        assert.deepEqual(world.counts, {});
      });

      it('if the step makes several calls, and one of them was refused', async () => {
        const step = making('a', {
          onRepeat: 'adopts',
          run: async ({ world }) => {
            world.make('a');
            throw refusal;
          },
        });
        const outcome = await run([step]);
        assert.ok(outcome.kind === 'failed');
        assert.deepEqual(world.counts, {});
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
      const outcome = await run([stuck, failing]);
      assert.equal(outcome.kind === 'failed' && outcome.leftovers.length, 1);
      assert.equal((await sweep([stuck, failing])).leftovers.length, 1);
      isStuck = false;
      assert.deepEqual((await sweep([stuck, failing])).leftovers, []);
      assert.deepEqual(world.counts, {});
    });

    it('retries the removal of leftovers of a completed job', async () => {
      const left = (id: string) => ({ type: 'thing', id, reason: 'Stuck.' });
      const step = making('a', {
        leftovers: ({ left: id }) => (id === '' || id === undefined ? [] : [left(id)]),
        run: async () => ({ left: 'x' }),
        sweep: async () => ({ left: '' }),
      });
      const outcome = await run([step]);
      assert.deepEqual([outcome.kind, outcome.leftovers], ['completed', [left('x')]]);
      assert.deepEqual(await sweep([step]), { leftovers: [], isUncertain: false });
      assert.deepEqual(await sweep([step]), { leftovers: [], isUncertain: false });
    });
  });
});
