import assert from 'node:assert/strict';
import { jobKeys, type StoreHold } from '@gateway/jobs';
import { createLogger } from '@gateway/platform';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { sendIfNeeded, watchWebhooks } from '../../../apps/worker/src/maintenance/watch-webhooks.ts';
import { event, WebhooksInRedis } from '../../packages/webhooks/webhooks-in-redis.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { eventually } from '../../support/eventually.ts';

describe('the watch of webhooks', () => {
  let world: WebhooksInRedis;
  let hold: StoreHold | null;
  let isReady: boolean;
  /** What a check has done beyond its question. */
  let done: string[];
  let worker: WorkerContext;
  const lines = captureLogLines();

  beforeEach(async () => {
    world = new WebhooksInRedis();
    await world.open();
    await world.create(1);
    hold = null;
    isReady = true;
    done = [];
    worker = {
      redis: { store: world.redis, isReady: () => isReady },
      webhooks: world.store,
      webhookSender: { pass: async () => void done.push('sent') },
      storeUse: {
        async renew() {
          done.push('renewed');
          return hold;
        },
      },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, lines.stream),
      metrics: { webhookDelivered() {} },
      stopping: new AbortController(),
    } as unknown as WorkerContext;
  });
  afterEach(() => world.close());

  it('only asks while nothing has happened and nothing is due', async () => {
    await sendIfNeeded(worker);

    assert.deepEqual(done, []);
  });

  it('sends what is due', async () => {
    await world.store.storeEvent(event('e1'));

    await sendIfNeeded(worker);

    assert.deepEqual(done, ['renewed', 'sent']);
  });

  it('takes what has happened to jobs', async () => {
    await world.redis.xadd(jobKeys.outbox, '*', 'entry', 'odd');

    await sendIfNeeded(worker);

    assert.deepEqual([done, await world.redis.xlen(jobKeys.outbox)], [['renewed', 'sent'], 0]);
  });

  it('sends nothing while jobs are held', async () => {
    hold = { cause: 'unused', usedAt: 1, heldAt: 2 };
    await world.store.storeEvent(event('e1'));

    await sendIfNeeded(worker);

    assert.deepEqual(done, ['renewed']);
  });

  it('repeats its question after an error, until it is closed', async () => {
    let asked = 0;
    const webhooks = {
      async isAnyDue() {
        asked += 1;
        if (asked === 1) throw new Error('unavailable');
        return true;
      },
    } as unknown as WorkerContext['webhooks'];
    const watch = watchWebhooks({ ...worker, webhooks });

    await eventually(async () => done.includes('sent'));
    await watch.close();

    assert.equal(lines.withMessage('Webhooks could not be sent yet').length, 1);
  }).timeout(20_000);

  it('lets the process stop while a question waits for Redis', async () => {
    let asked = false;
    const webhooks = {
      isAnyDue() {
        asked = true;
        return new Promise<boolean>(() => {});
      },
    } as unknown as WorkerContext['webhooks'];
    const watch = watchWebhooks({ ...worker, webhooks });

    await eventually(async () => asked);
    isReady = false;
    await watch.close();
  }).timeout(20_000);
});
