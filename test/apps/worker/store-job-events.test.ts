import assert from 'node:assert/strict';
import type { EndedJob } from '@gateway/activity';
import { formatStored, storedForms } from '@gateway/core';
import { jobKeys, readOutbox } from '@gateway/jobs';
import { createLogger } from '@gateway/platform';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { sendWebhooks } from '../../../apps/worker/src/maintenance/send-webhooks.ts';
import { parseMessage, WebhooksInRedis } from '../../packages/webhooks/webhooks-in-redis.ts';
import { captureLogLines, type LogLines } from '../../support/api/log-lines.ts';

const UNREADABLE = 'Webhooks do not learn of the end of a job: its entry is unreadable';

interface Body {
  type: string;
  data: Record<string, unknown>;
}

describe('the events of jobs for webhooks', () => {
  let world: WebhooksInRedis;
  let lines: LogLines;
  let failed: number;
  let audited: EndedJob[];
  let readBackup: () => Promise<unknown>;
  let webhookId: string;

  beforeEach(async () => {
    world = new WebhooksInRedis();
    await world.open();
    lines = captureLogLines();
    failed = 0;
    audited = [];
    readBackup = async () => ({ volumeId: 'v-1' });
    ({ id: webhookId } = await world.create(1));
  });
  afterEach(() => world.close());

  /** One pass of the task. Returns how often what is due was sent. */
  async function run(more: Partial<WorkerContext> = {}): Promise<number> {
    let passes = 0;
    await sendWebhooks({
      redis: { store: world.redis },
      webhooks: world.store,
      webhookSender: {
        pass: async () => {
          passes++;
        },
      },
      autoBackups: { store: { read: () => readBackup() } },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, lines.stream),
      metrics: {
        webhookDelivered(outcome: string, count: number) {
          assert.equal(outcome, 'failed');
          failed += count;
        },
      },
      stopping: new AbortController(),
      storeAuditedEnd: async (end: EndedJob) => void audited.push(end),
      ...more,
    } as unknown as WorkerContext);
    return passes;
  }

  const append = (entry: string) => world.redis.xadd(jobKeys.outbox, '*', 'entry', entry);
  const entry = (job: string, fields: object = {}) =>
    formatStored(storedForms.outboxEntry, {
      event: 'ended',
      job,
      projectId: 'p1',
      userId: 'u1',
      type: 'volume.create',
      status: 'completed',
      createdAt: '1000',
      updatedAt: '2000',
      ...fields,
    });
  /** What the webhook gets, oldest first. */
  async function stored(): Promise<(Body & { id: string })[]> {
    const deliveries = (await world.store.deliveries(webhookId, 100)).reverse();
    return deliveries.map(({ body, eventId: id }) => ({ id, ...parseMessage(body) }));
  }
  const idsOf = async () => (await stored()).map(({ id }) => id).sort();

  const failure = JSON.stringify({ status: 409, code: 'quota_exceeded', detail: 'No room.' });
  const leftovers = JSON.stringify([{ type: 'volume', id: 'v-1', reason: 'It is in use.' }]);
  const backup = { type: 'volume.auto-backup', exclusive: `${jobKeys.exclusive('')}auto-backup:b-1` };
  for (const [what, fields, ids] of [
    ['has completed', {}, ['j_completed']],
    ['has failed', { status: 'failed', failure }, ['j_failed']],
    ['was cancelled', { status: 'cancelled', failure }, ['j_cancelled']],
    ['has left something', { status: 'failed', failure, leftovers }, ['j_failed', 'j_leftovers']],
    ['has completed with a rest', { leftovers }, ['j_completed', 'j_leftovers']],
    [
      'is held',
      { event: 'held', status: 'queued', hold: '{"reason":"administrator","at":3000}' },
      ['j_held_3000'],
    ],
    ['is an auto backup that has completed', backup, ['j_completed']],
    [
      'is an auto backup that has failed',
      { ...backup, status: 'failed', failure },
      ['j_auto_backup', 'j_failed'],
    ],
    [
      'is an auto backup without a volume',
      { ...backup, problem: 'The volume was not found.' },
      ['j_auto_backup', 'j_completed'],
    ],
    ['is an auto backup that was cancelled', { ...backup, status: 'cancelled', failure }, ['j_cancelled']],
  ] as const) {
    it(`are right for one that ${what}`, async () => {
      await append(entry('j', fields));

      assert.equal(await run(), 1);

      assert.deepEqual(await idsOf(), ids);
      assert.deepEqual(await readOutbox(world.redis, 10), []);
    });
  }

  it('are in the audit stream if the job has ended', async () => {
    await append(
      entry('j1', { event: 'held', status: 'queued', hold: '{"reason":"administrator","at":3000}' }),
    );
    const resource = { resourceType: 'volume', resourceId: 'v-1', resourceName: 'data' };
    await append(entry('j2', { status: 'failed', failure, requestId: 'req-1', ...resource }));

    await run();

    assert.deepEqual(audited, [
      {
        ...{ kind: 'job', jobId: 'j2', type: 'volume.create', status: 'failed', requestId: 'req-1' },
        ...{ userId: 'u1', userName: null, projectId: 'p1', code: 'quota_exceeded', endedAt: 2000 },
        resources: [{ resource: 'volume', id: 'v-1', name: 'data' }],
      },
    ]);
  });

  it('wait for the audit stream, which gets each once', async () => {
    const storeAuditedEnd = () => Promise.reject(new Error('store'));
    await append(entry('j'));

    await assert.rejects(run({ storeAuditedEnd }), /store/);
    assert.equal((await readOutbox(world.redis, 10)).length, 1);
    await run();
    await run();

    assert.deepEqual(
      audited.map(({ jobId }) => jobId),
      ['j'],
    );
  });

  it('say what is left', async () => {
    await append(entry('j', { leftovers }));

    await run();

    const event = (await stored()).find(({ type }) => type === 'job.leftovers');
    assert.deepEqual(event?.data.leftovers, JSON.parse(leftovers));
  });

  it('name the auto backup that has failed, and its volume', async () => {
    await append(entry('j', { ...backup, status: 'failed', failure }));

    await run();

    const event = (await stored()).find(({ type }) => type === 'auto_backup.failed');
    const { auto_backup_id: id, ended_at: at, error, volume_id: volume } = event?.data ?? {};
    assert.deepEqual([id, volume, error, at], ['b-1', 'v-1', 'No room.', '1970-01-01T00:00:02Z']);
  });

  it('say why an auto backup has failed whose job has completed', async () => {
    await append(entry('j', { ...backup, problem: 'The volume was not found.' }));

    await run();

    const event = (await stored()).find(({ type }) => type === 'auto_backup.failed');
    assert.deepEqual(
      [event?.data.error, event?.data.error_code, event?.data.status],
      ['The volume was not found.', null, 'completed'],
    );
  });

  it('do without the volume of an auto backup that is unreadable', async () => {
    readBackup = () => Promise.reject(new Error('odd'));
    await append(entry('j1', { ...backup, status: 'failed', failure }));
    await append(entry('j2'));

    await run();

    assert.deepEqual(await idsOf(), ['j1_auto_backup', 'j1_failed', 'j2_completed']);
    const event = (await stored()).find(({ type }) => type === 'auto_backup.failed');
    assert.equal(event?.data.volume_id, null);
  });

  for (const [what, text] of [
    ['no JSON', 'odd'],
    ['an odd failure', entry('odd', { status: 'failed', failure: '{' })],
    ['null', 'null'],
    ['no time', entry('odd', { updatedAt: 'never' })],
  ]) {
    it(`continue after an entry with ${what}, which is reported once`, async () => {
      await append(text ?? '');
      await append(entry('j'));

      await run();
      await run();

      assert.deepEqual(await idsOf(), ['j_completed']);
      assert.deepEqual([lines.withMessage(UNREADABLE).length, failed], [1, 1]);
    });
  }

  it('leave entries of a newer release to its workers', async () => {
    const newer = JSON.stringify({
      ...JSON.parse(entry('newer')),
      form: storedForms.outboxEntry.version + 1,
    });
    for (let n = 0; n < 100; n++) await append(newer);
    await append(entry('j'));

    await run();

    assert.deepEqual(await idsOf(), ['j_completed']);
    assert.equal((await readOutbox(world.redis, 200)).length, 100);
    assert.deepEqual([lines.text(), failed], ['', 0]);
  });

  it('do not hold up what is due when they cannot be stored', async () => {
    let passes = 0;
    const webhookSender = { pass: async () => void passes++ } as unknown as WorkerContext['webhookSender'];
    const webhooks = {
      storeEvent: () => Promise.reject(new Error('store')),
    } as unknown as WorkerContext['webhooks'];
    await append(entry('j'));

    await assert.rejects(run({ webhookSender, webhooks }), /store/);

    assert.equal(passes, 1);
    assert.equal((await readOutbox(world.redis, 10)).length, 1);
  });
});
