import assert from 'node:assert/strict';
import { conflict, GatewayError, upstreamFailed, upstreamTimeout, upstreamUnavailable } from '@gateway/core';
import { SupersededError } from '@gateway/jobs';
import { ReleasedError, type SagaOutcome, TOKEN_EXPIRED } from '../../../../apps/worker/src/saga/index.ts';
import { journalOf, late, making, Process, sagaSuite, type TestState, type TestStep } from './world.ts';

const upstream = { service: 'compute', status: 500, request_id: null };

/** The leftovers of a failed saga. */
function leftoversOf(outcome: SagaOutcome<TestState>) {
  assert.ok(outcome.kind === 'failed');
  return outcome.leftovers;
}

/** A step that is interrupted after it has created its resource. */
function abortingAfterwards(controller: AbortController): TestStep {
  return making('a', {
    settle: async () => {
      controller.abort();
      return undefined;
    },
  });
}

describe('runSaga', () => {
  const saga = sagaSuite();

  it('runs steps in order, passes results, and publishes updates', async () => {
    const seen: string[] = [];
    const outcome = await saga.run([
      making('a'),
      making('silent', { beginUpdate: undefined }),
      making('b', {
        when: ({ state }) => {
          seen.push(`${state.a} ${state.silent}`);
          return true;
        },
      }),
    ]);
    assert.deepEqual(saga.world.log, ['make a', 'make silent', 'make b']);
    assert.deepEqual(seen, ['a-1 silent-2']);
    assert.deepEqual(outcome, {
      kind: 'completed',
      leftovers: [],
      isCommitted: false,
      isUncertain: false,
      state: { a: 'a-1', silent: 'silent-2', b: 'b-3' },
    });
    assert.deepEqual(
      saga.notebook.messages.map(({ step }) => step),
      ['A', 'B'],
    );
  });

  it('publishes updates that are computed from the results of earlier steps', async () => {
    const announce: TestStep['beginUpdate'] = ({ state }) => ({
      step: `AFTER ${state.a}`,
      progress: 2,
      message: 'Going on.',
    });

    await saga.run([making('a'), making('b', { beginUpdate: announce })]);

    assert.deepEqual(
      saga.notebook.messages.map(({ step }) => step),
      ['A', 'AFTER a-1'],
    );
  });

  it('reports that the resource of the job exists before it is ready', async () => {
    const seen: string[] = [];
    const server = making('server', {
      resourceId: ({ server = '' }) => server,
      settle: async () => {
        seen.push('settles');
        return undefined;
      },
    });

    await saga.run([making('volume'), server], { events: { onResource: () => seen.push('exists') } });

    assert.deepEqual(seen, ['exists', 'settles']);
  });

  it('skips a step whose condition is false', async () => {
    await saga.run([making('a'), making('b', { when: () => false }), making('c')]);
    assert.deepEqual(saga.world.counts, { a: 1, c: 1 });
    assert.equal(saga.notebook.steps.has('b'), false);
    assert.equal(saga.notebook.messages.length, 2);
  });

  it("records a step's begin before its call, and its result after", async () => {
    const phases: (string | undefined)[] = [];
    const note = async () => {
      phases.push(saga.notebook.steps.get('a')?.phase);
      return undefined;
    };
    await saga.run([
      making('a', {
        run: async ({ world }) => {
          await note();
          return { a: world.make('a') };
        },
        settle: note,
      }),
      making('b', { settle: note }),
    ]);
    assert.deepEqual(phases, ['begun', 'applied', 'done']);
  });

  it('writes twice for a step that does not settle', async () => {
    const journal = journalOf(saga.notebook, new Process());
    const phases: string[] = [];
    const counting = {
      ...journal,
      write: async (...args: Parameters<typeof journal.write>) => {
        phases.push(args[1].phase);
        await journal.write(...args);
      },
    };
    await saga.run([making('a')], { journal: counting });
    assert.deepEqual(phases, ['begun', 'done']);
  });

  it("records the job's resource id as soon as known", async () => {
    const steps = [
      making('server', {
        resourceId: ({ server = '' }) => server,
        settle: async () => {
          assert.equal(saga.notebook.resourceId, 'server-1');
          return undefined;
        },
      }),
    ];
    assert.equal((await saga.run(steps)).kind, 'completed');
  });

  it('merges the result of settling, and settles again after an interruption', async () => {
    let settles = 0;
    const steps = [
      making('a', {
        settle: async () => {
          if (++settles === 1) process.dead = true;
          return { extra: `settled ${settles}` };
        },
      }),
    ];
    const process = new Process();
    await assert.rejects(saga.run(steps, { process }));
    const outcome = await saga.run(steps);
    assert.deepEqual(outcome.state, { a: 'a-1', extra: 'settled 2' });
    assert.deepEqual(saga.world.counts, { a: 1 });
  });

  it("adopts an interrupted run's resource, or else runs the step", async () => {
    saga.notebook.steps.set('a', { phase: 'begun' });
    saga.notebook.steps.set('b', { phase: 'begun' });
    const adopted = saga.world.make('a');
    const outcome = await saga.run([making('a'), making('b')]);
    assert.deepEqual(saga.world.log, ['make a', 'make b']);
    assert.equal(outcome.state.a, adopted);
  });

  describe('when it is unknown whether a failed call took effect', () => {
    const failures = [
      upstreamFailed('Broken.', { upstream }),
      upstreamUnavailable('Unavailable.', { upstream }),
      upstreamTimeout('Late.', { upstream: { ...upstream, status: null } }),
    ];

    it('searches for the resource, and continues with it if it exists', async () => {
      for (const failure of failures) {
        saga.reset();
        const step = making('a', {
          run: async ({ world }) => {
            world.make('a');
            throw failure;
          },
        });
        assert.equal((await saga.run([step, making('b')])).kind, 'completed');
        assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
      }
    });

    it('rolls back with the failure if the resource does not exist', async () => {
      const step = making('a', { run: () => Promise.reject(failures[0]) });
      const outcome = await saga.run([making('first'), step]);
      assert.ok(outcome.kind === 'failed');
      assert.equal(outcome.failure.code, 'upstream_error');
      assert.deepEqual(saga.world.counts, {});
    });

    it('does not look after a refusal, nor after an internal error', async () => {
      const refusals = [
        new GatewayError(401, 'unauthorized', 'Refused.', { upstream: { ...upstream, status: 401 } }),
        new GatewayError(404, 'not_found', 'No network.', { upstream: { ...upstream, status: 404 } }),
        new GatewayError(500, 'internal_error', 'Own fault.'),
        new TypeError('x is undefined'),
      ];
      for (const refusal of refusals) {
        saga.reset();
        let looks = 0;
        const step = making('a', {
          run: () => Promise.reject(refusal),
          find: async () => {
            looks++;
            return [];
          },
          undo: undefined,
        });
        assert.equal((await saga.run([step])).kind, 'failed');
        assert.equal(looks, 0);
      }
    });
  });

  describe('when a step fails', () => {
    const names = ['a', 'b', 'c', 'd'];

    for (const [at, failing] of names.entries()) {
      it(`undoes steps in reverse up to ${at + 1} of ${names.length}`, async () => {
        const steps = names.map((name) =>
          making(name, name === failing ? { run: () => Promise.reject(conflict('busy', 'No.')) } : {}),
        );
        const outcome = await saga.run(steps);
        const made = names.slice(0, at);
        assert.deepEqual(saga.world.log, [
          ...made.map((name) => `make ${name}`),
          ...made.toReversed().map((name) => `remove ${name}`),
        ]);
        assert.ok(outcome.kind === 'failed');
        assert.deepEqual(outcome.failure, { status: 409, code: 'conflict', detail: 'No.', reason: 'busy' });
        assert.deepEqual(outcome.leftovers, []);
      });
    }

    it('undoes a step that never settled', async () => {
      const steps = [
        making('a'),
        making('b', { settle: () => Promise.reject(conflict('busy', 'It went bad.')) }),
      ];
      assert.equal((await saga.run(steps)).kind, 'failed');
      assert.deepEqual(saga.world.log, ['make a', 'make b', 'remove b', 'remove a']);
    });

    it("hides an internal error's details from the caller, and logs them", async () => {
      const causes: unknown[] = [];
      const fault = new TypeError('token gAAAA is odd');
      const outcome = await saga.run([making('a', { run: () => Promise.reject(fault) })], {
        events: { onRollBack: (step, error) => causes.push(step, error) },
      });
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual(outcome.failure, {
        status: 500,
        code: 'internal_error',
        detail: 'An internal error occurred.',
      });
      assert.deepEqual(causes, ['a', fault]);
    });

    it('skips a step without an undo', async () => {
      const steps = [
        making('plan', { run: async () => ({ plan: 'p' }), undo: undefined }),
        making('a'),
        making('b', { run: () => Promise.reject(conflict('busy', 'No.')) }),
      ];
      assert.deepEqual(leftoversOf(await saga.run(steps)), []);
      assert.deepEqual(saga.world.counts, {});
    });

    it('retries an undo until it succeeds', async () => {
      let tries = 0;
      const steps = [
        making('a', {
          undo: async ({ world }, { a = '' }) => {
            if (++tries < 3) throw upstreamFailed('Not now.', { upstream });
            world.remove(a);
          },
        }),
        making('b', { run: () => Promise.reject(conflict('busy', 'No.')) }),
      ];
      assert.deepEqual(leftoversOf(await saga.run(steps, { undoTimeoutMs: 60_000 })), []);
      assert.equal(tries, 3);
      assert.deepEqual(saga.world.counts, {});
    });

    it('does not retry an undo that all identities are refused', async () => {
      let tries = 0;
      const steps = [
        making('a', {
          undo: async () => {
            tries += 1;
            throw new GatewayError(401, TOKEN_EXPIRED, 'The token has expired.');
          },
        }),
        making('b', { run: () => Promise.reject(conflict('busy', 'No.')) }),
      ];
      assert.deepEqual(leftoversOf(await saga.run(steps, { undoTimeoutMs: 60_000 })), [
        { type: 'a', id: 'a-1', reason: 'The token has expired.' },
      ]);
      assert.equal(tries, 1);
    });

    it('reports what cannot be undone, and still undoes the rest', async () => {
      const steps = [
        making('a'),
        making('b', { undo: () => Promise.reject(conflict('busy', 'The volume is in use.')) }),
        making('c', { undo: () => Promise.reject(new TypeError('secret')) }),
        making('d', { find: () => Promise.reject(upstreamFailed('Broken.', { upstream })) }),
        making('e', { run: () => Promise.reject(conflict('busy', 'No.')) }),
      ];
      saga.notebook.steps.set('d', { phase: 'begun' });
      const results: string[] = [];
      const outcome = await saga.run(steps, {
        events: { onStep: (step, outcome) => results.push(`${step} ${outcome}`) },
      });
      assert.deepEqual(leftoversOf(outcome), [
        { type: 'd', id: '', reason: 'Broken.' },
        { type: 'c', id: 'c-3', reason: 'An internal error occurred.' },
        { type: 'b', id: 'b-2', reason: 'The volume is in use.' },
      ]);
      assert.deepEqual(saga.world.counts, { b: 1, c: 1 });
      assert.ok(results.includes('b left') && results.includes('a undone'));
    });

    it('passes the results of other steps when it retries an undo', async () => {
      const known: (string | undefined)[] = [];
      const steps = [
        making('plan', { find: undefined, undo: undefined }),
        making('a'),
        making('b', {
          undo: async ({ state }) => {
            known.push(state.plan, state.a);
            throw conflict('busy', 'Busy.');
          },
        }),
        making('c', { run: () => Promise.reject(conflict('busy', 'No.')) }),
      ];
      await saga.run(steps);
      await saga.run(steps);
      assert.deepEqual(known, ['plan-1', 'a-2', 'plan-1', 'a-2']);
    });

    it('retries an undo when the job runs again', async () => {
      let isBusy = true;
      const steps = [
        making('a', {
          undo: async ({ world }, { a = '' }) => {
            if (isBusy) throw conflict('busy', 'Busy.');
            world.remove(a);
          },
        }),
        making('b', { run: () => Promise.reject(conflict('busy', 'No.')) }),
      ];
      assert.equal(leftoversOf(await saga.run(steps)).length, 1);
      isBusy = false;
      assert.deepEqual(leftoversOf(await saga.run(steps)), []);
      assert.deepEqual(saga.world.counts, {});
    });
  });

  describe('when the job is cancelled', () => {
    it('stops at the next step and undoes everything', async () => {
      const cancel = new AbortController();
      const steps = [abortingAfterwards(cancel), making('b')];
      const outcome = await saga.run(steps, { cancelled: cancel.signal });
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual([outcome.failure.status, outcome.failure.code], [409, 'cancelled']);
      assert.deepEqual(saga.world.log, ['make a', 'remove a']);
    });

    it('interrupts a wait, and undoes the step that waited', async () => {
      const cancel = new AbortController();
      const steps = [
        making('a', {
          settle: ({ signal }) => {
            cancel.abort();
            return Promise.reject(signal.reason);
          },
        }),
      ];
      const outcome = await saga.run(steps, { cancelled: cancel.signal });
      assert.ok(outcome.kind === 'failed');
      assert.equal(outcome.failure.code, 'cancelled');
      assert.deepEqual(saga.world.counts, {});
    });

    it('undoes with a signal that the cancellation does not abort', async () => {
      const cancel = AbortSignal.abort();
      saga.notebook.steps.set('a', { phase: 'applied', result: { a: saga.world.make('a') } });
      let aborted: boolean | null = null;
      const steps = [
        making('a', {
          undo: async ({ signal, world }, { a = '' }) => {
            aborted = signal.aborted;
            world.remove(a);
          },
        }),
      ];
      await saga.run(steps, { cancelled: cancel });
      assert.equal(aborted, false);
      assert.deepEqual(saga.world.counts, {});
    });

    it('creates nothing if it was cancelled before it began', async () => {
      const outcome = await saga.run([making('a')], { cancelled: AbortSignal.abort() });
      assert.equal(outcome.kind, 'failed');
      assert.deepEqual(saga.world.log, []);
    });
  });

  describe('when the worker shuts down', () => {
    it('stops at the next step without undoing, and continues later', async () => {
      const stop = new AbortController();
      const steps = [abortingAfterwards(stop), making('b')];
      await assert.rejects(saga.run(steps, { stopping: stop.signal }), ReleasedError);
      assert.deepEqual(saga.world.counts, { a: 1 });
      assert.equal(saga.notebook.rollbackReason, null);
      assert.equal((await saga.run(steps)).kind, 'completed');
      assert.deepEqual(saga.world.log, ['make a', 'make b']);
    });

    it('leaves the search for an unanswered call to the next run', async () => {
      const stop = new AbortController();
      let searches = 0;
      const step = making('a', {
        run: async ({ world }) => {
          world.make('a');
          stop.abort();
          throw late;
        },
        find: async ({ world }) => {
          searches += 1;
          return world.findAll('a').map((a) => ({ a }));
        },
      });
      await assert.rejects(saga.run([step], { stopping: stop.signal }), ReleasedError);
      assert.equal(searches, 0);
      assert.equal(saga.notebook.steps.get('a')?.isUncertain, true);

      const outcome = await saga.run([step]);

      assert.deepEqual([outcome.kind, outcome.state.a], ['completed', 'a-1']);
      assert.deepEqual(saga.world.log, ['make a']);
    });

    it('interrupts a wait, which the next run repeats', async () => {
      const stop = new AbortController();
      let waits = 0;
      const steps = [
        making('a', {
          settle: async ({ signal }) => {
            if (++waits > 1) return { waited: 'yes' };
            stop.abort();
            throw signal.reason;
          },
        }),
      ];
      await assert.rejects(saga.run(steps, { stopping: stop.signal }), ReleasedError);
      assert.equal((await saga.run(steps)).state.waited, 'yes');
      assert.deepEqual(saga.world.counts, { a: 1 });
    });

    it('leaves the rollback to the next run, even during a retry', async () => {
      const stop = new AbortController();
      let isBusy = true;
      const steps = [
        making('a', {
          undo: async ({ world }, { a = '' }) => {
            if (isBusy) throw conflict('busy', 'Busy.');
            world.remove(a);
          },
        }),
        making('b', { run: () => Promise.reject(conflict('busy', 'No.')) }),
      ];
      const first = saga.run(steps, {
        stopping: stop.signal,
        undoTimeoutMs: 3_600_000,
        events: { onUndoFailed: () => setImmediate(() => stop.abort()) },
      });
      await assert.rejects(first, ReleasedError);
      assert.deepEqual(saga.world.counts, { a: 1 });
      isBusy = false;
      const outcome = await saga.run(steps);
      assert.ok(outcome.kind === 'failed');
      assert.equal(outcome.failure.detail, 'No.');
      assert.deepEqual(saga.world.counts, {});
    });

    it('interrupts an undo that takes too long, which the next run repeats', async () => {
      const stop = new AbortController();
      const steps = [
        making('a', {
          undo: async ({ signal, world }, { a = '' }) => {
            world.remove(a);
            if (stop.signal.aborted) return;
            stop.abort();
            signal.throwIfAborted();
          },
        }),
        making('b', { run: () => Promise.reject(conflict('busy', 'No.')) }),
      ];
      await assert.rejects(saga.run(steps, { stopping: stop.signal }), ReleasedError);
      assert.equal(saga.notebook.steps.get('a')?.phase, 'done');
      const outcome = await saga.run(steps);
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual([outcome.leftovers, saga.notebook.steps.get('a')?.phase], [[], 'undone']);
    });

    it('still rolls back if it was cancelled as well', async () => {
      const both = AbortSignal.abort();
      saga.notebook.steps.set('a', { phase: 'done', result: { a: saga.world.make('a') } });
      const steps = [making('a'), making('b')];
      await assert.rejects(saga.run(steps, { cancelled: both, stopping: both }), ReleasedError);
      const outcome = await saga.run(steps, { cancelled: both });
      assert.equal(outcome.kind, 'failed');
      assert.deepEqual(saga.world.counts, {});
    });
  });

  it('stops without any change when another run has superseded it', async () => {
    const process = new Process();
    const journal = journalOf(saga.notebook, process);
    const steps = [making('a'), making('b')];
    const superseded = saga.run(steps, {
      journal: {
        ...journal,
        write: async (step, entry, ...rest) => {
          if (step === 'b' && entry.phase === 'done') throw new SupersededError('j');
          await journal.write(step, entry, ...rest);
        },
        startRollback: () => assert.fail('A superseded run must not roll back.'),
      },
    });
    await assert.rejects(superseded, SupersededError);
    assert.deepEqual(saga.world.log, ['make a', 'make b']);
  });

  it('stops a rollback when another run has superseded it', async () => {
    const journal = journalOf(saga.notebook, new Process());
    const steps = [
      making('a'),
      making('b'),
      making('c', { run: () => Promise.reject(conflict('busy', 'No.')) }),
    ];
    const superseded = saga.run(steps, {
      journal: {
        ...journal,
        write: async (step, entry, ...rest) => {
          if (entry.phase === 'undone' && step === 'b') throw new SupersededError('j');
          await journal.write(step, entry, ...rest);
        },
      },
    });
    await assert.rejects(superseded, SupersededError);
    assert.deepEqual(saga.world.counts, { a: 1 });
  });
});
