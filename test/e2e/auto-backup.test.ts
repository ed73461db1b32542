import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { WebhookReceiver } from '../support/doubles/webhook-receiver.ts';
import { eventually } from '../support/eventually.ts';
import { AutoBackupProject } from '../support/projects/auto-backup-project.ts';
import { isRealCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import {
  type AutoBackup,
  autoBackupPath,
  dueInHours,
  setUpAutoBackup,
} from '../support/subjects/auto-backups.ts';

const KEY_PREFIX = 'e2e-auto-backup:';
const CONFIGS = '/api/volumes/backups/auto-backup/configs';
/** How many due times of a true schedule are waited for. One takes a minute. */
const TRUE_RUNS = isRealCloud() ? 3 : 1;

describe('an auto backup', function () {
  this.timeout(900_000);
  let stack: Stack;
  let project: AutoBackupProject;

  before(async () => {
    stack = await startTestStack({
      ownRedis: true,
      workers: 2,
      config: {
        redis: { key_prefix: KEY_PREFIX },
        auto_backup: { min_interval_seconds: 60 },
        jobs: { lock_seconds: 3, sweep_seconds: 2, recheck_seconds: 3 },
        webhooks: { allowed_networks: ['127.0.0.0/8'], allow_http: true },
      },
    });
    project = await AutoBackupProject.prepare(stack, KEY_PREFIX);
  });

  afterEach(() => project?.clear());

  after(async () => {
    await project?.remove();
    await stack?.stop();
  });

  /** The names that runs at these due times give. */
  const nameAt = (volumeId: string, due: number, prefix = 'auto') =>
    `${prefix}-${volumeId.slice(0, 8)}-${new Date(due).toISOString().slice(0, 16).replace(/\D/g, '')}`;

  it('runs at once during a pause, and not when due', async () => {
    const volumeId = await project.volume();
    const created = await setUpAutoBackup(project.gateway, volumeId, { retention: 2 });
    const act = (action: string) =>
      project.gateway.request<AutoBackup & { job_id: string }>(
        'POST',
        `${autoBackupPath(volumeId)}/${action}`,
      );

    const paused = await act('pause');
    assert.equal(paused.body.enabled, false, paused.text);
    assert.equal(await project.due.next(created.id), undefined, 'nothing is scheduled');
    const started = await act('run');
    assert.equal(started.status, 202, started.text);
    const last = await project.outcome(volumeId, null);
    const resumed = await act('resume');

    assert.deepEqual([last.last_status, last.last_error, last.enabled], ['ok', null, false]);
    assert.equal((await project.backups(volumeId)).length, 1);
    assert.equal(resumed.body.enabled, true, resumed.text);
    assert.notEqual(await project.due.next(created.id), undefined, 'it is scheduled again');
  });

  it('runs every minute by its schedule, applies retention, and can be deleted', async () => {
    const volumeId = await project.volume();
    const byHand = await project.backUp(volumeId);
    const created = await setUpAutoBackup(project.gateway, volumeId, {
      schedule: '* * * * *',
      retention: 1,
      prefix: 'minutely',
    });
    assert.deepEqual(
      [created.volume_id, created.project_id, created.enabled, created.last_status, created.last_run_at],
      [volumeId, project.member.id, true, null, null],
    );

    let last: AutoBackup | null = null;
    for (let run = 1; run <= TRUE_RUNS; run += 1) {
      last = await project.outcome(volumeId, last);
      assert.deepEqual([last.last_status, last.last_error], ['ok', null]);
    }
    const answer = await project.gateway.request('DELETE', autoBackupPath(volumeId));

    assert.equal(answer.status, 204);
    assert.equal(await project.read(volumeId), null);
    assert.equal(await project.due.next(created.id), undefined, 'nothing is scheduled any more');
    await project.hasNoTrust();
    const backups = await project.backups(volumeId);
    const own = backups.filter(({ id }) => id !== byHand);
    assert.equal(backups.length, own.length + 1, 'the backup made by hand is there');
    // A run that was under way is cancelled, and its backup removed.
    const kept = await eventually(async () => {
      const names = (await project.names(volumeId)).filter((name) => name !== 'by hand');
      return names.length === 1 ? names : undefined;
    });
    assert.match(kept[0] ?? '', new RegExp(`^minutely-${volumeId.slice(0, 8)}-\\d{12}$`));
  });

  it('keeps its newest backups across a replacement, and all others', async () => {
    const volumeId = await project.volume();
    const byHand = await project.backUp(volumeId);
    const other = await project.backUp(volumeId, { metadata: { gateway_auto_backup_id: 'another' } });
    const first = await setUpAutoBackup(project.gateway, volumeId, { retention: 2 });
    const dues: number[] = [];
    for (let run = 1; run <= 3; run += 1) {
      dues.push((await project.due.next(first.id))?.due ?? 0);
      assert.equal(await project.run(first.id), 'completed');
    }
    assert.deepEqual(
      (await project.names(volumeId)).filter((name) => name !== 'by hand'),
      dues.slice(1).map((due) => nameAt(volumeId, due)),
    );
    const listed = await project.gateway.request<AutoBackup[]>('POST', CONFIGS);
    assert.deepEqual(
      listed.body.map(({ id, last_status }) => [id, last_status]),
      [[first.id, 'ok']],
    );

    const second = await setUpAutoBackup(project.gateway, volumeId, {
      schedule: dueInHours(11),
      retention: 1,
      prefix: 'again',
    });
    const due = (await project.due.next(second.id))?.due ?? 0;
    assert.equal(await project.run(second.id), 'completed');

    assert.equal(second.id, first.id);
    assert.equal(second.created_at, first.created_at);
    assert.equal((await project.cloud.trusts()).length, 1, 'the former delegation is revoked');
    const backups = await project.backups(volumeId);
    assert.deepEqual(
      backups.map(({ id, name }) => ([byHand, other].includes(id) ? id : name)).sort(),
      [byHand, other, nameAt(volumeId, due, 'again')].sort(),
    );
  });

  it('makes incremental backups, and deletes them with the full one', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId, { retention: 2, full_every: 2 });
    const isIncremental = async () =>
      (await project.backups(volumeId)).map(({ is_incremental }) => is_incremental);

    for (let run = 1; run <= 3; run += 1) assert.equal(await project.run(id), 'completed');
    assert.deepEqual(await isIncremental(), [false, true, false], 'two are kept besides the new one');
    const before = await project.names(volumeId);
    assert.equal(await project.run(id), 'completed');

    await eventually(async () => {
      const left = await project.names(volumeId);
      assert.equal(left[0], before[2]);
      assert.deepEqual(await isIncremental(), [false, true]);
      return true;
    });
    assert.equal((await project.read(volumeId))?.last_error, null);
  });

  it('backs up a volume that is in use', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const server = await project.serverWith(volumeId);

    const status = await project.run(id).finally(() => server.remove());

    assert.equal(status, 'completed', (await project.read(volumeId))?.last_error ?? '');
    assert.equal((await project.backups(volumeId)).length, 1);
  });

  it('runs once for each of two volumes that are due at once', async () => {
    const volumes = [await project.volume(), await project.volume()];
    const records = await Promise.all(volumes.map((id) => setUpAutoBackup(project.gateway, id)));

    const runs = await Promise.all(records.map(({ id }) => project.due.comesNow(id)));
    const ends = await Promise.all(runs.map(({ jobId }) => project.jobEnd(jobId)));

    assert.deepEqual(ends, ['completed', 'completed']);
    for (const [index, volumeId] of volumes.entries()) {
      assert.deepEqual(await project.names(volumeId), [nameAt(volumeId, runs[index]?.due ?? 0)]);
    }
  });

  it('loses and doubles nothing while workers, api and Redis are killed', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const dues: number[] = [];
    for (const kill of [
      () => Promise.all(stack.workers.map((worker) => worker.kill('SIGKILL'))),
      () => stack.apis[0]?.kill('SIGKILL'),
      () => stack.redis?.kill('SIGKILL'),
    ]) {
      const { due, jobId } = await project.due.comesNow(id);
      dues.push(due);
      await kill();
      await Promise.all(
        [...stack.workers, ...stack.apis].map((child) => child.isRunning() || child.restart()),
      );
      if (stack.redis?.isRunning() === false) await stack.redis.restart();
      assert.equal(await project.jobEnd(jobId), 'completed');
    }

    assert.deepEqual(
      await project.names(volumeId),
      dues.map((due) => nameAt(volumeId, due)),
    );
    assert.equal((await project.read(volumeId))?.last_status, 'ok');
  });

  it('recovers a lost scheduler, and drops a scheduler without a record', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const before = await project.due.next(id);

    await project.due.lose(id);

    assert.deepEqual(await eventually(() => project.due.next(id)), before);
  });

  it('ends when its volume is gone', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    await project.deleteVolume(volumeId);
    assert.equal(await project.read(volumeId), null, 'at once');

    assert.equal(await project.run(id), 'completed');

    await hasEnded(id, volumeId);
  });

  it('reports to webhooks that its volume was not found', async () => {
    const receiver = await new WebhookReceiver().start();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const body = { url, events: ['auto_backup.failed'] };
    const { id: webhookId } = (await project.gateway.request<{ id: string }>('POST', '/api/webhooks', body))
      .body;
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    await project.deleteVolume(volumeId);

    assert.equal(await project.run(id), 'completed');

    const message = await eventually(async () => receiver.received[0]);
    const { data, type } = JSON.parse(message.body) as { type: string; data: Record<string, unknown> };
    assert.deepEqual([type, data.auto_backup_id, data.status], ['auto_backup.failed', id, 'completed']);
    assert.match(String(data.error), /not found/);
    await project.gateway.request('DELETE', `/api/webhooks/${webhookId}`);
    await receiver.close();
  });

  it('ends when its volume is deleted through the gateway', async () => {
    const volumeId = await project.volume();
    const kept = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    await setUpAutoBackup(project.gateway, kept);

    const answer = await project.gateway.request('DELETE', `/api/volumes/${volumeId}`);

    assert.equal(answer.status, 204, answer.text);
    await eventually(async () => (await project.read(volumeId)) === null);
    await isUnscheduled(id);
    assert.notEqual(await project.read(kept), null);
    await eventually(async () => (await project.cloud.trusts()).length === 1);
  });

  it('ends with a volume that an administrator deletes', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const administrator = await GatewayClient.logIn(stack.url, testLogin('admin'));

    const answer = await administrator.request('DELETE', `/api/admin/volumes/${volumeId}`);

    assert.equal(answer.status, 204, answer.text);
    await hasEnded(id, volumeId);
  });

  it('ends with the instance that the volume is deleted with', async () => {
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const request = await gateway.smallInstanceRequest('e2e-auto-backup');
    const made = (await gateway.messagesOfCreation(request)).at(-1);
    assert.equal(made?.step, 'COMPLETED', made?.error ?? '');
    const path = `/api/instances/${made?.instance_id}`;
    const [boot] = await gateway.read<{ id: string }[]>(`${path}/volumes`);
    const volumeId = boot?.id ?? '';
    await setUpAutoBackup(gateway, volumeId);

    const answer = await gateway.request('DELETE', path);

    assert.equal(answer.status, 204, answer.text);
    await eventually(async () => {
      const { status } = await gateway.request('GET', autoBackupPath(volumeId));
      return status === 404;
    }, 120_000);
  });

  /** The schedule is removed after the record. */
  async function isUnscheduled(id: string): Promise<void> {
    await eventually(async () => (await project.due.next(id)) === undefined);
  }

  async function hasEnded(id: string, volumeId: string): Promise<void> {
    await eventually(async () => (await project.read(volumeId)) === null);
    await isUnscheduled(id);
    await project.hasNoTrust();
  }

  it('fails with the reason while the quota is full, and continues afterwards', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const setQuota = (backups: number) =>
      project.admin.call('volumev3', 'PUT', `/os-quota-sets/${project.member.id}`, {
        quota_set: { backups },
      });
    await setQuota(0);

    const refused = await project.run(id).finally(() => setQuota(10));
    const failed = await project.read(volumeId);

    assert.equal(refused, 'failed');
    assert.equal(failed?.last_status, 'failed');
    assert.match(failed?.last_error ?? '', /quota/i);
    assert.deepEqual(await project.names(volumeId), []);
    assert.equal(await project.run(id), 'completed');
    assert.equal((await project.read(volumeId))?.last_status, 'ok');
  });

  for (const [how, take, giveBack] of [
    ['has lost the role', () => project.member.setRole(false), () => project.member.setRole(true)],
    ['is disabled', () => project.member.setEnabled(false), () => project.member.setEnabled(true)],
  ] as const) {
    it(`fails with the reason when the user who set it up ${how}`, async () => {
      const volumeId = await project.volume();
      const { id } = await setUpAutoBackup(project.gateway, volumeId);
      await take();

      const { jobId } = await project.due.comesNow(id);

      await eventually(async () => await project.due.hasEnded(jobId)).finally(giveBack);
      await project.logIn(stack);
      const record = await project.read(volumeId);
      assert.equal(record?.last_status, 'failed');
      assert.match(record?.last_error ?? '', /user who set up the auto backup/);
      assert.deepEqual(await project.names(volumeId), []);
    });
  }

  it('is 404 for other projects, also for their administrators', async () => {
    const volumeId = await project.volume();
    await setUpAutoBackup(project.gateway, volumeId);

    for (const who of ['alice', 'admin'] as const) {
      const other = await GatewayClient.logIn(stack.url, testLogin(who));
      const set = await other.request('POST', autoBackupPath(volumeId), { schedule: dueInHours(12) });
      const read = await other.request('GET', autoBackupPath(volumeId));
      const removed = await other.request('DELETE', autoBackupPath(volumeId));
      const listed = await other.request<AutoBackup[]>('POST', CONFIGS);

      assert.deepEqual([set.status, read.status, removed.status], [404, 404, 404], who);
      assert.ok(!listed.body.some(({ volume_id }) => volume_id === volumeId));
      const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin(who));
      assert.deepEqual(await cloud.trusts(), [], 'nothing was delegated');
    }
    assert.notEqual(await project.read(volumeId), null);
  });
});
