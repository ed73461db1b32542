import assert from 'node:assert/strict';
import { AutoBackupStore, DueEntries } from '@gateway/auto-backup';
import { newId } from '@gateway/core';
import { CronEntries, Queues, scheduledTaskNames } from '@gateway/jobs';
import { Redis } from 'ioredis';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { eventually } from '../support/eventually.ts';
import { freshKeyPrefix } from '../support/redis/test-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const VOLUMES = 1_000;
const AT_ONCE = 20;
const HOUR_MS = 3_600_000;

/** Those of a gateway without an audit stream. */
const TASKS = scheduledTaskNames.filter((name) => name !== 'maintenance.audit-stream');

describe('a night in which a thousand auto backups are due at once', function () {
  this.timeout(300_000);
  const keyPrefix = freshKeyPrefix('nightly');
  let simulated: SimulatedStack;
  let queue: Redis;
  let redis: Redis;
  let store: AutoBackupStore;
  let queues: Queues;

  before(async () => {
    simulated = await SimulatedStack.start({
      own: true,
      ownRedis: true,
      workers: 0,
      config: {
        auto_backup: { running_limit: AT_ONCE, spread_seconds: 600 },
        redis: { key_prefix: keyPrefix },
      },
    });
    queue = new Redis(simulated.stack.redisUrl, { maxRetriesPerRequest: null });
    redis = new Redis(simulated.stack.redisUrl, { keyPrefix, maxRetriesPerRequest: null });
    store = new AutoBackupStore(redis);
    queues = new Queues(queue, keyPrefix);
    await Promise.all(Array.from({ length: VOLUMES }, () => setUp()));
    // All of them are due at the same moment.
    const entries = await (await queues.open('maintenance')).getDelayed();
    await Promise.all(entries.map((entry) => entry.promote()));
  });
  after(async () => {
    await queues?.close();
    for (const connection of [queue, redis]) connection?.disconnect();
    await simulated?.stop();
  });

  /** An auto backup of a volume that does not exist, and that has missed a due time. */
  async function setUp(): Promise<void> {
    const now = Date.now();
    const id = newId();
    const configuration = {
      id,
      projectId: 'project-of-nobody',
      volumeId: newId(),
      userId: 'nobody',
      schedule: '0 * * * *',
      retention: 1,
      prefix: 'auto',
      fullEvery: 1,
      version: 1,
      createdAt: now,
      updatedAt: now,
      handledUntil: now - 3 * HOUR_MS,
      enabled: true,
      missingSince: null,
      last: null,
      lastOkAt: null,
      sealedDelegation: '',
    };
    await store.import(configuration, { overwrite: false });
    await new DueEntries(new CronEntries(queues, 'maintenance'), store).update(id);
  }

  it('runs each scheduled task before them, and few of them at once', async () => {
    const { stack } = simulated;
    const waiting = await queues.depths();
    assert.ok((waiting.maintenance?.waiting ?? 0) >= VOLUMES);
    await stack.addWorker();

    // This one reads all auto backups, and starts what it may.
    const others = TASKS.filter((name) => name !== 'maintenance.auto-backups');
    await scrapeAfter(others);
    const left = await queues.depths();

    assert.ok((left.maintenance?.waiting ?? 0) > VOLUMES / 2, JSON.stringify(left.maintenance));
    await eventually(async () => (await store.waitingIds()).length > 0);
    // Each end of a run starts another one.
    const before = (await store.waitingIds()).length;
    let most = 0;
    await eventually(async () => {
      most = Math.max(most, (await store.runningSince(Date.now())).length);
      const rest = (await store.waitingIds()).length;
      return rest > 0 && rest !== before && most > 0;
    });
    assert.ok(most <= AT_ONCE, `${most} at once`);
    const targets = await scrapeAfter(TASKS);
    assert.ok(!(await alertsFiring([{ atMinutes: 0, targets }], 10)).includes('GatewayMaintenanceOverdue'));
  });

  /** What all processes expose once these tasks have succeeded. */
  function scrapeAfter(names: readonly string[]) {
    return eventually(async () => {
      const targets = await scrape(simulated.stack);
      const successes = (targets[0]?.text ?? '').matchAll(
        /^gateway_maintenance_last_success_timestamp_seconds\{.*task="([\w-]+)".*\} [1-9]/gm,
      );
      const done = Array.from(successes, ([, task]) => `maintenance.${task}`);
      const missing = names.filter((name) => !done.includes(name));
      assert.deepEqual(missing, []);
      return targets;
    }, 120_000);
  }
});
