import assert from 'node:assert/strict';
import { Sealer } from '@gateway/core';
import { jobKeys, readJob, readStoreHold } from '@gateway/jobs';
import { LiteClusterStore } from '@gateway/lite';
import type { Config } from '@gateway/platform';
import { WebhookStore } from '@gateway/webhooks';
import type { RestoreContext } from '../../../apps/worker/src/restore/restore-context.ts';
import { restoreStore } from '../../../apps/worker/src/restore/restore-store.ts';
import { BackupsInRedis } from '../../packages/auto-backup/backups-in-redis.ts';
import { queueJob } from '../../packages/jobs/stored-jobs.ts';

const COPIED_AT = Date.now() - 60_000;

describe('the restore of a store', () => {
  let backups: BackupsInRedis;

  beforeEach(() => {
    backups = new BackupsInRedis();
  });

  afterEach(() => backups.store.close());

  /** What the command works with. */
  async function open(): Promise<RestoreContext> {
    const { delegations, entries, redis, store } = await backups.open();
    const sealer = new Sealer(backups.sealingKeys);
    return {
      autoBackups: { delegations, entries, store },
      config: { jobs: { lockSeconds: 2, keepSeconds: 600 } } as Config,
      liteClusters: new LiteClusterStore({ redis: redis.store, sealer }),
      redis,
      sealer,
      webhooks: new WebhookStore(redis.store),
    };
  }

  it('only counts secrets that it cannot read', async () => {
    const before = await backups.open();
    await backups.setUp(before);
    await backups.setUp(before, { volumeId: 'v2', sealedDelegation: 'v99.old.text' });
    backups.sealingKeys = [{ id: 'old', key: Buffer.alloc(32, 2) }];

    const result = await restoreStore(await open(), COPIED_AT);

    assert.equal(result.kind, 'restored');
    const [line = '', ...others] = result.kind === 'restored' ? result.summary.unreadable : [];
    assert.match(line, /^The delegations of auto backups cannot be read: 2\. /);
    assert.match(line, /another key under the id old/);
    assert.deepEqual(others, []);
  });

  it('refuses an empty store', async () => {
    assert.deepEqual(await restoreStore(await open(), COPIED_AT), { kind: 'empty' });
  });

  it('leaves its end to the release that knows all jobs', async () => {
    const context = await open();
    const redis = context.redis.store;
    const jobId = await queueJob(redis);
    await redis.hset(jobKeys.record(jobId), { type: 'instance.unheard-of' });
    await redis.zadd(jobKeys.open, COPIED_AT - 1_000, jobId);
    await redis.hset(jobKeys.storeHold, { cause: 'unused', usedAt: COPIED_AT, heldAt: Date.now() });
    const isHeld = async () => (await readStoreHold(redis)) !== null;

    const first = await restoreStore(context, COPIED_AT);
    assert.deepEqual([first.kind === 'restored' && first.summary.unknown, await isHeld()], [1, true]);

    // As the newer release sees the job.
    await redis.hset(jobKeys.record(jobId), { type: 'instance.create' });
    const second = await restoreStore(context, COPIED_AT);
    assert.deepEqual([second.kind === 'restored' && second.summary.interrupted, await isHeld()], [1, false]);
    assert.equal((await readJob(redis, jobId))?.status, 'failed');
    assert.equal((await restoreStore(context, COPIED_AT)).kind, 'done before');
  });
});
