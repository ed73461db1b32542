import assert from 'node:assert/strict';
import { type ProgressMessage, readEvents, readJob, requestCancel, SupersededError } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import {
  type Journal,
  type JournalEntry,
  RedisJournal,
  runSaga,
} from '../../../../apps/worker/src/saga/index.ts';
import { claim, message, queueJob } from '../../../packages/jobs/stored-jobs.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { making, Notebook, sagaRun, type TestStep, World } from './world.ts';

describe('RedisJournal', () => {
  const store = new TestStore();
  let redis: Redis;
  let jobId: string;

  before(async () => {
    redis = (await store.connect()).store;
  });

  after(() => store.close());

  beforeEach(async () => {
    jobId = await queueJob(redis);
  });

  async function open(): Promise<RedisJournal> {
    return new RedisJournal(redis, await claim(redis, jobId));
  }

  it('is empty for a job that has not begun', async () => {
    assert.deepEqual(await (await open()).load(), { steps: new Map(), rollbackReason: null });
  });

  it('returns to the next run what the last one wrote', async () => {
    const journal = await open();
    await journal.write('plan', { phase: 'begun' });
    await journal.write('plan', { phase: 'done', result: { plan: { sizes: [1, 2] } } });
    await journal.write('server', { phase: 'begun' });
    const failure = { status: 409, code: 'conflict', detail: 'No.' };
    await journal.startRollback(failure);
    const { steps, rollbackReason } = await (await open()).load();
    assert.deepEqual(
      [...steps].sort(([a], [b]) => a.localeCompare(b)),
      [
        ['plan', { phase: 'done', result: { plan: { sizes: [1, 2] } } }],
        ['server', { phase: 'begun' }],
      ],
    );
    assert.deepEqual(rollbackReason, failure);
  });

  it('writes entry, message and record in one transaction', async () => {
    const journal = await open();
    await journal.write('server', { phase: 'begun' }, message(5), { resourceId: 'server-1' });
    const record = await readJob(redis, jobId);
    assert.deepEqual([record?.step, record?.progress, record?.resourceId], ['STEP_5', 5, 'server-1']);
    assert.equal((await readEvents(redis, jobId, 0)).length, 1);
    assert.equal((await journal.load()).steps.get('server')?.phase, 'begun');
    await journal.write('server', { phase: 'applied' }, undefined, { resourceId: 'server-2' });
    assert.equal((await readEvents(redis, jobId, 0)).length, 1);
    assert.equal((await readJob(redis, jobId))?.resourceId, 'server-2');
  });

  describe('of a job with a step that commits', () => {
    let world: World;

    /** Cancels the job right before the entry of the committing step with this phase is written. */
    async function runAndCancel(phase: JournalEntry['phase']) {
      world = new World();
      const log = await claim(redis, jobId);
      const journal = new RedisJournal(redis, log);
      let isAccepted: boolean | undefined;
      const asking: Journal = {
        load: () => journal.load(),
        storeTime: () => journal.storeTime(),
        startRollback: (failure) => journal.startRollback(failure),
        async write(step, entry, ...more) {
          if (step === 'point' && entry.phase === phase) isAccepted = await requestCancel(redis, jobId);
          return journal.write(step, entry, ...more);
        },
      };
      const steps = [making('before'), making('point', { commits: true, undo: undefined }), making('after')];
      const run = sagaRun({ steps, world, notebook: new Notebook(), journal: asking });
      const outcome = await runSaga({ ...run, cancelled: log.cancelled });
      return { isAccepted, outcome };
    }

    it('rolls back if a cancellation was accepted before the step, however shortly', async () => {
      const { isAccepted, outcome } = await runAndCancel('begun');
      assert.equal(isAccepted, true);
      assert.equal(outcome.kind === 'failed' && outcome.failure.code, 'cancelled');
      assert.deepEqual(world.log, ['make before', 'remove before']);
    });

    it('refuses a later cancellation, and continues', async () => {
      const { isAccepted, outcome } = await runAndCancel('done');
      assert.equal(isAccepted, false);
      assert.equal(outcome.kind, 'completed');
      assert.deepEqual(world.counts, { before: 1, point: 1, after: 1 });
    });
  });

  it('allows a cancellation during a rollback after a committing step', async () => {
    const journal = await open();
    await journal.write('point', { phase: 'begun' }, undefined, { isCommitting: true });
    assert.equal(await requestCancel(redis, jobId), false);
    await journal.startRollback({ status: 502, code: 'upstream_error', detail: 'It did not work.' });
    assert.equal(await requestCancel(redis, jobId), true);
  });

  it('announces a rollback only if there is anything to undo', async () => {
    const failing = making('after', {
      run: () => Promise.reject(new Error('It did not work.')),
      undo: undefined,
    });
    const run = async (steps: TestStep[]) => {
      const journal = await open();
      await runSaga(sagaRun({ steps, world: new World(), notebook: new Notebook(), journal }));
      return (await readEvents(redis, jobId, 0)).map(
        ({ data }) => (JSON.parse(data) as ProgressMessage).step,
      );
    };

    const alone = await run([failing]);
    jobId = await queueJob(redis);
    const behind = await run([making('before'), failing]);

    assert.deepEqual([alone, behind], [['AFTER'], ['BEFORE', 'AFTER', 'AFTER']]);
  });

  it('rejects writes of a superseded run, and stores none of them', async () => {
    const first = await open();
    const second = await open();
    await assert.rejects(first.write('a', { phase: 'begun' }, message(1)), SupersededError);
    await assert.rejects(first.startRollback({ status: 500, code: 'x', detail: 'x' }), SupersededError);
    assert.deepEqual(await second.load(), { steps: new Map(), rollbackReason: null });
    assert.deepEqual(await readEvents(redis, jobId, 0), []);
  });
});
