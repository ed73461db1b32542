import assert from 'node:assert/strict';
import {
  beginOf,
  beginOfEntry,
  cancelRun,
  latestDue,
  nextDue,
  runIdOf,
  runInProgress,
  startDueRun,
} from '@gateway/auto-backup';
import { isCancelRequested, ProgressLog, readJob } from '@gateway/jobs';
import { BackupsInRedis } from './backups-in-redis.ts';

const HOURLY = '0 * * * *';
const HOUR_MS = 3_600_000;

describe('the runs of an auto backup', () => {
  let world: BackupsInRedis;
  const settings = { spreadSeconds: 0, runningLimit: 0 };
  let parts: Awaited<ReturnType<BackupsInRedis['open']>> & {
    id: string;
    latest: number;
    settings: typeof settings;
  };
  beforeEach(async () => {
    world = new BackupsInRedis();
    // Set up in the past, so that due times have been missed since.
    world.clock.ms = Date.now() - 5 * HOUR_MS;
    const opened = await world.open();
    const id = (await world.setUp(opened, { schedule: HOURLY })) ?? '';
    parts = { ...opened, id, latest: latestDue(HOURLY, Date.now()), settings };
  });
  afterEach(() => world.store.close());

  const start = (entryDue?: number) =>
    startDueRun({ ...parts, redis: parts.redis.store }, parts.id, entryDue);

  async function endRun(due: number): Promise<void> {
    const job = await readJob(parts.redis.store, runIdOf(parts.id, due));
    assert.ok(job);
    const log = await ProgressLog.claim(job, { redis: parts.redis.store, keepSeconds: 60 });
    assert.ok(log instanceof ProgressLog);
    await log.end({ step: 'COMPLETED', progress: 100, message: 'Done.' }, { status: 'completed' });
  }

  it('are one for all missed due times: the last', async () => {
    assert.equal(await start(), 'started');

    const job = await readJob(parts.redis.store, runIdOf(parts.id, parts.latest));
    assert.deepEqual(
      [job?.type, job?.status, job?.projectId, job?.userId, job?.requestId],
      ['volume.auto-backup', 'queued', 'p1', 'u1', `req-${job?.id}`],
    );
    assert.ok(await parts.queues.has('maintenance', job?.id ?? ''));
    await endRun(parts.latest);
    assert.equal(await start(parts.latest - HOUR_MS), 'not due', 'the entry of an earlier one');
    assert.equal(await start(), 'not due');
  });

  it('are one per due time, wherever and however often it is noticed', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => start(parts.latest)));

    assert.ok(outcomes.includes('started'));
    assert.ok(!outcomes.includes('skipped'), outcomes.join());
    const queue = await parts.queues.open('maintenance');
    assert.equal(await queue.getPrioritizedCount(), 1);
  });

  it('are repeated if their job was written but not queued', async () => {
    const broken = { ...parts, redis: parts.redis.store };
    const add = parts.queues.add.bind(parts.queues);
    parts.queues.add = async () => {
      throw new Error('The queue is unavailable.');
    };
    const redis = parts.redis.store;
    const evaluate = redis.eval.bind(redis);
    // The commands of the failed attempt run only after the next attempt.
    const later: (() => Promise<unknown>)[] = [];
    redis.eval = ((...args: Parameters<typeof evaluate>) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      later.push(() => evaluate(...args).then(resolve));
      return promise;
    }) as typeof redis.eval;
    await assert.rejects(startDueRun(broken, parts.id), { status: 503 });
    parts.queues.add = add;
    redis.eval = evaluate;

    assert.equal(await start(), 'started');
    for (const act of later) await act();

    assert.ok(await parts.queues.has('maintenance', runIdOf(parts.id, parts.latest)));
    assert.notEqual(await readJob(parts.redis.store, runIdOf(parts.id, parts.latest)), null);
  });

  it('are the same job if the process died before recording it', async () => {
    const markHandled = parts.store.markHandled.bind(parts.store);
    parts.store.markHandled = async () => {
      throw new Error('The process is gone.');
    };
    await assert.rejects(start());
    parts.store.markHandled = markHandled;

    assert.equal(await start(), 'started');

    const queue = await parts.queues.open('maintenance');
    assert.equal(await queue.getPrioritizedCount(), 1);
    assert.equal(await start(), 'not due');
  });

  it("begin with a worker's fast clock, but only at scheduled times", async () => {
    await start();
    await endRun(parts.latest);
    const next = nextDue(HOURLY, Date.now());

    assert.equal(await start(next - 1), 'not due');
    assert.equal(await start(next), 'started');
    await endRun(next);
    assert.equal(await start(next), 'not due');
  });

  it('are left to others by a worker whose clock is far ahead', async () => {
    const { now } = Date;
    try {
      Date.now = () => now() + 30 * 24 * HOUR_MS;
      assert.equal(await start(), 'not due');
    } finally {
      Date.now = now;
    }

    assert.equal(await start(), 'started');
  });

  it('are skipped during the previous run, which the configuration shows', async () => {
    await start();
    const next = nextDue(HOURLY, Date.now());

    assert.equal(await start(next), 'skipped');

    const record = await parts.store.read(parts.id);
    assert.deepEqual([record?.last?.status, record?.handledUntil], ['skipped', next]);
    assert.match(record?.last?.error ?? '', /previous run/);
    await endRun(parts.latest);
    assert.equal(await start(next), 'not due', 'a skipped one is not made up for');
    assert.equal(await start(next + HOUR_MS), 'started');
  });

  it('are none without a configuration', async () => {
    await parts.store.remove('p1', 'v1');

    assert.equal(await start(parts.latest), 'no configuration');

    assert.equal(await runInProgress({ ...parts, redis: parts.redis.store }, parts.id), null);
  });

  it('are cancelled when the configuration was removed while they were being queued', async () => {
    const markHandled = parts.store.markHandled.bind(parts.store);
    parts.store.markHandled = async (...args) => {
      await parts.store.remove('p1', 'v1');
      return markHandled(...args);
    };

    assert.equal(await start(), 'no configuration');

    assert.ok(await isCancelRequested(parts.redis.store, runIdOf(parts.id, parts.latest)));
  });

  it('can be cancelled while one is in progress', async () => {
    const runs = { ...parts, redis: parts.redis.store };
    await cancelRun(runs, parts.id);
    await start();

    await cancelRun(runs, parts.id);

    assert.ok(await isCancelRequested(parts.redis.store, runIdOf(parts.id, parts.latest)));
    assert.equal((await runInProgress(runs, parts.id))?.id, runIdOf(parts.id, parts.latest));
    await endRun(parts.latest);
    assert.equal(await runInProgress(runs, parts.id), null);
  });

  it('begin late by part of an interval, once per due time', async () => {
    const volumeId = 'v-late';
    const id = (await world.setUp(parts, { schedule: HOURLY, volumeId })) ?? '';
    const late = { ...parts, redis: parts.redis.store, settings: { ...settings, spreadSeconds: 3600 } };
    const due = nextDue(HOURLY, Date.now());
    const begin = beginOf({ schedule: HOURLY, volumeId }, due, 3600);
    assert.ok(begin > due && begin <= due + HOUR_MS / 10);

    assert.equal(await beginOfEntry(late, id, due), begin);
    assert.equal(await beginOfEntry(late, id, due + 1), null, 'of another schedule');
    assert.equal(await startDueRun(late, id, due), 'started');
    // A worker with another setting knows the same due time.
    assert.equal(await startDueRun({ ...late, settings }, id, due), 'not due');
  });

  it('wait for a place in the order in which they came', async () => {
    const ids = [parts.id];
    for (const volumeId of ['v2', 'v3', 'v4'])
      ids.push((await world.setUp(parts, { schedule: HOURLY, volumeId })) ?? '');
    const limited = { ...parts, redis: parts.redis.store, settings: { ...settings, runningLimit: 2 } };
    const outcomes: string[] = [];
    for (const id of ids) outcomes.push(await startDueRun(limited, id));

    assert.deepEqual(outcomes, ['started', 'started', 'waits', 'waits']);
    assert.deepEqual(await parts.store.waitingIds(), ids.slice(2));
    assert.equal((await parts.store.firstWaiting())?.id, ids[2]);
    const { handledUntil } = (await parts.store.read(ids[2] ?? '')) ?? {};
    assert.ok((handledUntil ?? 0) < parts.latest, 'the due time is not lost');

    await parts.store.leavePlace(ids[0] ?? '');
    assert.equal(await startDueRun(limited, ids[2] ?? ''), 'started');
    assert.equal(await startDueRun(limited, ids[3] ?? ''), 'waits');
    await parts.store.remove('p1', 'v4');
    assert.equal(await startDueRun(limited, ids[3] ?? ''), 'no configuration');
    assert.deepEqual(await parts.store.waitingIds(), []);
  });
});
