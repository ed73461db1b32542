import assert from 'node:assert/strict';
import { conflict, GatewayError } from '@gateway/core';
import { UpstreamError } from '@gateway/openstack';
import { ParkedError } from '../../../../apps/worker/src/saga/index.ts';
import { making, sagaSuite } from './world.ts';

const LONG_MS = 60_000;
const calling = { service: 'compute', operation: 'servers.create', upstreamMessage: null } as const;

function refused(status = 409): UpstreamError {
  return new UpstreamError(status, 'conflict', 'The volume is in use.', {
    ...calling,
    upstreamStatus: status,
    upstreamRequestId: null,
  });
}

function brokenConnection(networkErrorCode: string): UpstreamError {
  return new UpstreamError(503, 'upstream_unavailable', 'The compute service is unavailable.', {
    ...calling,
    upstreamStatus: null,
    upstreamRequestId: null,
    networkErrorCode,
  });
}

describe('a call that takes effect after its sender has died', () => {
  const saga = sagaSuite({ lateCallMs: LONG_MS });

  /** Leaves the journal as a run does that dies during its call. */
  function begunBefore(step: string): void {
    saga.notebook.steps.set(step, { phase: 'begun', at: Date.now() });
  }

  /** Changes the deadline of the late call. */
  function setDeadline(step: string, lateUntil: number): void {
    const entry = saga.notebook.steps.get(step);
    assert.equal(entry?.phase, 'orphaned');
    saga.notebook.steps.set(step, { ...entry, lateUntil });
  }

  function expire(step: string): void {
    setDeadline(step, Date.now() - 1);
  }

  it('is awaited without a second call, and adopted when it takes effect', async () => {
    begunBefore('a');
    await assert.rejects(saga.run([making('a')]), ParkedError);
    await assert.rejects(saga.run([making('a')]), ParkedError);
    assert.deepEqual(saga.world.log, []);

    const late = saga.world.make('a');
    const outcome = await saga.run([making('a')]);
    assert.deepEqual([outcome.kind, outcome.state.a], ['completed', late]);
    assert.deepEqual(saga.world.counts, { a: 1 });
  });

  it('is awaited before the change that it makes is reverted', async () => {
    const change = making('a', {
      onRepeat: 'idempotent',
      find: undefined,
      async undo({ world, lateUntil }, { a = '' }) {
        if (lateUntil > Date.now()) throw new ParkedError(lateUntil - Date.now());
        world.remove(a);
      },
    });
    const failing = making('b', { run: () => Promise.reject(conflict('busy', 'No.')) });
    const certain = await saga.run([change, failing]);
    assert.equal(certain.kind, 'failed');
    assert.deepEqual(saga.world.counts, {}, 'a call with a response needs no wait');

    saga.notebook.steps.clear();
    saga.notebook.rollbackReason = null;
    begunBefore('a');
    await assert.rejects(saga.run([change, failing]), ParkedError);
    await assert.rejects(saga.run([change, failing]), ParkedError);
    assert.deepEqual(saga.world.counts, { a: 1 });
    const waiting = saga.notebook.steps.get('a');
    assert.ok((waiting?.undoingSince ?? 0) > Date.now(), 'the wait is no part of the time for the undo');

    saga.notebook.steps.set('a', { ...waiting, phase: 'done', at: Date.now() - LONG_MS });
    const outcome = await saga.run([change, failing]);
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(saga.world.counts, {});
  });

  it('has one deadline for all runs that wait for it', async () => {
    begunBefore('a');
    await assert.rejects(saga.run([making('a')]), ParkedError);
    const first = saga.notebook.steps.get('a')?.lateUntil;
    await assert.rejects(saga.run([making('a')]), ParkedError);
    assert.equal(saga.notebook.steps.get('a')?.lateUntil, first);
  });

  it('has the same deadline for later steps after it took effect', async () => {
    begunBefore('a');
    await assert.rejects(saga.run([making('a')]), ParkedError);
    const deadline = Date.now() + LONG_MS / 2;
    setDeadline('a', deadline);
    saga.world.make('a');
    let seen: number | undefined;
    const next = making('b', {
      run: async ({ world, lateUntil }) => {
        seen = lateUntil;
        return { b: world.make('b') };
      },
    });
    await saga.run([making('a'), next]);
    assert.equal(seen, deadline);
  });

  it('has a new deadline if a repeated call gets no response', async () => {
    saga.notebook.steps.set('a', { phase: 'begun', at: 0, lateUntil: 1, isUncertain: true });
    const answers = [brokenConnection('ECONNRESET'), null];
    const repeated = making('a', {
      onRepeat: 'idempotent',
      find: undefined,
      run: async () => {
        const error = answers.shift();
        if (error != null) throw error;
        return { a: '' };
      },
    });
    let seen = 0;
    const next = making('b', {
      run: async ({ lateUntil }) => {
        seen = lateUntil;
        return { b: '' };
      },
    });
    await saga.run([repeated, next], { retryTimeoutMs: LONG_MS });
    assert.ok(seen > Date.now());
  });

  it('is repeated without effect by its deadline, with a new deadline', async () => {
    begunBefore('a');
    await assert.rejects(saga.run([making('a')]), ParkedError);
    expire('a');
    const dying = making('a', { run: () => Promise.reject(new ParkedError(0)) });
    await assert.rejects(saga.run([dying]), ParkedError);
    assert.equal(saga.notebook.steps.get('a')?.phase, 'begun');
    await assert.rejects(saga.run([making('a')]), ParkedError);
    assert.deepEqual(saga.world.counts, {});

    expire('a');
    assert.equal((await saga.run([making('a')])).kind, 'completed');
    assert.deepEqual(saga.world.counts, { a: 1 });
  });

  it('is searched again after a transient failure of the find', async () => {
    begunBefore('a');
    const unreadable = making('a', { find: () => Promise.reject(refused(503)) });
    await assert.rejects(saga.run([unreadable], { retryTimeoutMs: LONG_MS }), ParkedError);
  });

  it('is not awaited if the service rejects duplicates', async () => {
    begunBefore('a');
    assert.equal((await saga.run([making('a', { onRepeat: 'rejected' })])).kind, 'completed');
    assert.deepEqual(saga.world.counts, { a: 1 });
  });

  it('is adopted when the service refuses a duplicate because of it', async () => {
    for (const status of [400, 403, 409]) {
      saga.reset();
      begunBefore('a');
      const step = making('a', {
        onRepeat: 'rejected',
        run: async ({ world }) => {
          world.make('a');
          throw refused(status);
        },
      });
      assert.equal((await saga.run([step])).kind, 'completed', String(status));
      assert.deepEqual(saga.world.counts, { a: 1 });
    }
  });

  it("leaves one resource besides a second call, after the job's end", async () => {
    begunBefore('a');
    const [kept] = [saga.world.make('a'), saga.world.make('a')];
    const outcome = await saga.run([making('a'), making('b')]);
    assert.deepEqual([outcome.kind, outcome.state.a], ['completed', kept]);
    assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
    assert.equal(saga.world.find('a'), kept);
  });

  it('is removed after the end of an interrupted, completed job', async () => {
    begunBefore('a');
    const kept = saga.world.make('a');
    const steps = [making('a'), making('b')];
    const outcome = await saga.run(steps);
    assert.equal(outcome.kind === 'completed' && outcome.isUncertain, true);
    saga.world.make('a');

    const swept = await saga.sweep(steps);
    assert.deepEqual(saga.world.counts, { a: 1, b: 1 });
    assert.equal(saga.world.find('a'), kept);
    assert.deepEqual(swept, { leftovers: [], isUncertain: true });
  });

  it('is distinguished by the step itself if the step creates several resources', async () => {
    saga.notebook.steps.set('a', { phase: 'begun' });
    const step = making('a', {
      onRepeat: 'adopts',
      run: async ({ world }) => ({ a: [world.make('a'), world.make('a')].join() }),
      isOwn: ({ a = '' }, found) => a.split(',').includes(found.a ?? ''),
    });
    const outcome = await saga.run([step]);
    assert.deepEqual([outcome.state.a, saga.world.counts], ['a-1,a-2', { a: 2 }]);

    saga.world.make('a');
    await saga.sweep([step]);
    assert.deepEqual(saga.world.findAll('a'), ['a-1', 'a-2']);
  });

  it('is expected after a repeated call of a step that makes several', async () => {
    let isFirst = true;
    const step = making('a', {
      onRepeat: 'adopts',
      run: async ({ world }) => {
        if (!isFirst) return { a: world.make('a') };
        isFirst = false;
        throw brokenConnection('ECONNRESET');
      },
    });
    let lateUntil = 0;
    const next = making('b', {
      run: async (context) => {
        lateUntil = context.lateUntil;
        return { b: context.world.make('b') };
      },
    });
    const before = Date.now();

    const outcome = await saga.run([step, next]);

    assert.equal(outcome.kind === 'completed' && outcome.isUncertain, true);
    assert.ok(lateUntil > before, String(lateUntil));
    saga.world.make('a');
    await saga.sweep([step, next]);
    assert.deepEqual(saga.world.findAll('a'), ['a-1']);
  });

  it('makes no sweep necessary after a job without an interruption', async () => {
    const outcome = await saga.run([making('a')]);
    assert.equal(outcome.kind === 'completed' && outcome.isUncertain, false);
  });

  it('is a leftover of the completed job while it cannot be removed', async () => {
    begunBefore('a');
    saga.world.make('a');
    const extra = saga.world.make('a');
    const step = making('a', { undo: () => Promise.reject(conflict('busy', 'It is busy.')) });
    const outcome = await saga.run([step]);
    assert.equal(outcome.kind, 'completed');
    assert.deepEqual(outcome.leftovers, [{ type: 'a', id: extra, reason: 'It is busy.' }]);
  });

  it("is removed with everything that bears the job's mark by a rollback", async () => {
    begunBefore('a');
    saga.world.make('a');
    saga.world.make('a');
    const outcome = await saga.run([
      making('a'),
      making('b', { run: () => Promise.reject(conflict('busy', 'No.')) }),
    ]);
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(saga.world.counts, {});
  });

  it('is removed after the rollback, even a second resource', async () => {
    begunBefore('a');
    saga.world.make('a');
    const steps = [making('a'), making('b', { run: () => Promise.reject(conflict('busy', 'No.')) })];
    const outcome = await saga.run(steps);
    assert.equal(outcome.kind === 'failed' && outcome.isUncertain, true);
    saga.world.make('a');
    await saga.sweep(steps);
    assert.deepEqual(saga.world.counts, {});
  });

  describe('whose connection broke', () => {
    it('is awaited like that of a dead sender', async () => {
      let calls = 0;
      const breaking = making('a', {
        run: () => {
          calls += 1;
          return Promise.reject(brokenConnection('ECONNRESET'));
        },
      });
      await assert.rejects(saga.run([breaking], { retryTimeoutMs: LONG_MS }), ParkedError);
      assert.equal(calls, 1);
      const late = saga.world.make('a');
      assert.equal((await saga.run([breaking])).state.a, late);
      assert.equal(calls, 1);
    });

    it('is repeated at once if the connection was never established', async () => {
      let calls = 0;
      const step = making('a', {
        run: async ({ world }) => {
          if (++calls === 1) throw brokenConnection('ECONNREFUSED');
          return { a: world.make('a') };
        },
      });
      const outcome = await saga.run([step], { retryTimeoutMs: LONG_MS });
      assert.equal(outcome.kind === 'completed' && outcome.isUncertain, false);
      assert.equal(calls, 2);
    });

    it('fails the job if the connection breaks twice', async () => {
      begunBefore('a');
      const breaking = making('a', { run: () => Promise.reject(brokenConnection('ECONNRESET')) });
      const outcome = await saga.run([breaking], { retryTimeoutMs: LONG_MS, lateCallMs: 0 });
      assert.equal(outcome.kind === 'failed' && outcome.isUncertain, true);
    });
  });
});

describe('the time limit of an undo', () => {
  const saga = sagaSuite({ undoTimeoutMs: LONG_MS });

  it('counts from the first run that undoes', async () => {
    const stuck = new GatewayError(409, 'conflict', 'It is busy.');
    const steps = [
      making('a', { undo: () => Promise.reject(stuck) }),
      making('b', { run: () => Promise.reject(conflict('busy', 'No.')) }),
    ];
    const dying = new AbortController();
    const events = { onUndoFailed: () => dying.abort() };
    await assert.rejects(saga.run(steps, { stopping: dying.signal, events }));
    const entry = saga.notebook.steps.get('a');
    assert.ok(entry?.undoingSince !== undefined);
    saga.notebook.steps.set('a', { ...entry, undoingSince: entry.undoingSince - LONG_MS });

    const outcome = await saga.run(steps);
    assert.deepEqual(outcome.kind === 'failed' && outcome.leftovers, [
      { type: 'a', id: 'a-1', reason: 'It is busy.' },
    ]);
  });
});
