import assert from 'node:assert/strict';
import { jobKeys, ProgressLog, readStoreHold, releaseStoreHold, StoreUse } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { jobOf, keepSeconds, queueJob } from '../stored-jobs.ts';

const SETTINGS = { oldStoreSeconds: 300 };
const MINUTE_MS = 60_000;
/** Longer than `oldStoreSeconds`. */
const LONG_MS = 10 * MINUTE_MS;

/** A process that lives while the store is unavailable. */
class Survivor extends StoreUse {
  /** How long ago its last renewal was. */
  agedMs = 0;

  override get args() {
    const { renewedAt, ...args } = super.args;
    return { ...args, renewedAt: renewedAt - this.agedMs };
  }
}

describe('the hold of a store', () => {
  const store = new TestStore();
  let redis: RedisConnections;
  let job: string;

  beforeEach(async () => {
    redis ??= await store.connect();
    await redis.store.del(jobKeys.storeUses, jobKeys.storeHold, jobKeys.open, jobKeys.sweeps);
    job = await queueJob(redis.store);
    await redis.store.zadd(jobKeys.open, 1, job);
  });

  after(() => store.close());

  const newProcess = () => new StoreUse(redis.store, SETTINGS);

  /** What the store is after this time without use: all of its entries are older. */
  async function age(byMs: number): Promise<void> {
    for (const member of await redis.store.zrange(jobKeys.storeUses, '0', '-1'))
      await redis.store.zincrby(jobKeys.storeUses, -byMs, member);
  }

  const claim = (storeUse?: StoreUse) =>
    ProgressLog.claim(jobOf(job), { redis: redis.store, keepSeconds, ...(storeUse && { storeUse }) });

  it('is free in a store that no process has used yet', async () => {
    assert.equal(await newProcess().renew(), null);
  });

  it('is held once the processes have died long ago', async () => {
    await newProcess().renew();
    await age(LONG_MS);

    const started = newProcess();
    const hold = await started.renew();

    assert.equal(hold?.cause, 'unused');
    assert.deepEqual(await started.renew(), hold, 'the hold lasts');
    assert.ok(Date.now() - hold.usedAt >= LONG_MS - 1_000);
    assert.deepEqual(await readStoreHold(redis.store), hold);
  });

  it('is held for all processes once one has seen it', async () => {
    await newProcess().renew();
    await age(LONG_MS);
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => newProcess().renew()));

    assert.ok(first);
    assert.deepEqual(others, [first, first]);
    assert.deepEqual(await newProcess().renew(), first);
  });

  it('is free in a store in which nothing is unfinished', async () => {
    await newProcess().renew();
    await age(LONG_MS);
    await redis.store.del(jobKeys.open);

    assert.equal(await newProcess().renew(), null);
  });

  it('is held for what ended jobs have to sweep', async () => {
    await newProcess().renew();
    await age(LONG_MS);
    await redis.store.del(jobKeys.open);
    await redis.store.hset(jobKeys.sweeps, 'j', '{}');

    assert.equal((await newProcess().renew())?.cause, 'unused');
  });

  it('is free long after all processes have stopped in order', async () => {
    const processes = [newProcess(), newProcess()];
    for (const one of processes) await one.renew();
    for (const one of processes) await one.end();
    await age(LONG_MS);

    assert.equal(await newProcess().renew(), null);
  });

  it('is free when a process had died before the last one stopped', async () => {
    await newProcess().renew();
    await age(MINUTE_MS);
    const last = newProcess();
    await last.renew();
    await last.end();
    await age(LONG_MS);

    assert.equal(await newProcess().renew(), null);
  });

  it('is free after a process that has outlived its use', async () => {
    const ended = newProcess();
    await ended.renew();
    await ended.end();
    await ended.renew();
    assert.ok((await claim(ended)) instanceof ProgressLog, 'the store lacks nothing');
    await age(LONG_MS);

    assert.equal(await newProcess().renew(), null);
  });

  it('is held after a process that stopped without having used it', async () => {
    await newProcess().renew();
    await age(LONG_MS);
    await newProcess().end();

    assert.equal((await newProcess().renew())?.cause, 'unused');
  });

  it('is free for a process that starts soon after the others died', async () => {
    await newProcess().renew();
    await age(MINUTE_MS);

    assert.equal(await newProcess().renew(), null);
  });

  it('is free when the store was unavailable while its processes lived', async () => {
    const survivor = new Survivor(redis.store, SETTINGS);
    await survivor.renew();
    await age(LONG_MS);
    survivor.agedMs = LONG_MS;

    assert.equal(await survivor.renew(), null);
  });

  it('is free again when a living process finds its last entry', async () => {
    const survivor = new Survivor(redis.store, SETTINGS);
    await survivor.renew();
    await age(LONG_MS);
    survivor.agedMs = LONG_MS;
    assert.equal((await newProcess().renew())?.cause, 'unused');

    assert.equal(await survivor.renew(), null);
    assert.equal(await newProcess().renew(), null);
  });

  it('is still held when a living process finds an older entry', async () => {
    const survivor = new Survivor(redis.store, SETTINGS);
    await survivor.renew();
    await age(2 * LONG_MS);
    survivor.agedMs = LONG_MS;
    const hold = await newProcess().renew();

    assert.deepEqual(await survivor.renew(), hold);
    assert.ok(hold);
  });

  it('is held when the store lacks what a living process has written', async () => {
    const survivor = newProcess();
    await survivor.renew();
    await age(LONG_MS);

    assert.equal((await survivor.renew())?.cause, 'set_back');
    assert.equal((await survivor.renew())?.cause, 'set_back', 'the hold lasts');
  });

  it('is free when a failover has lost the last entry', async () => {
    const survivor = newProcess();
    await survivor.renew();
    await age(2_000);

    assert.equal(await survivor.renew(), null);
  });

  it('lets no job begin while it is held, except for a command', async () => {
    await newProcess().renew();
    await age(LONG_MS);
    const late = newProcess();
    await late.renew();

    assert.equal(await claim(late), 'store-held');
    assert.ok((await claim()) instanceof ProgressLog);
  });

  it('holds a job itself when the store was just set back', async () => {
    const worker = newProcess();
    await worker.renew();
    await age(LONG_MS);

    assert.equal(await claim(worker), 'store-held');
    assert.equal((await readStoreHold(redis.store))?.cause, 'set_back');
  });

  it('is free again once a command has released it', async () => {
    const worker = newProcess();
    await worker.renew();
    await age(LONG_MS);
    await worker.renew();

    assert.equal(await releaseStoreHold(redis.store), true);
    assert.equal(await newProcess().renew(), null);
    assert.equal(await worker.renew(), null);
    assert.ok((await claim(worker)) instanceof ProgressLog);
  });
});
