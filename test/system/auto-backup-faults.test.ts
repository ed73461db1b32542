import assert from 'node:assert/strict';
import { newRequestId } from '@gateway/core';
import type { Stack } from '../../scripts/stack.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { AutoBackupProject } from '../support/projects/auto-backup-project.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { simulatedCloud, startTestStack } from '../support/stacks/test-stack.ts';
import {
  type AutoBackup,
  autoBackupPath,
  dueInHours,
  setUpAutoBackup,
} from '../support/subjects/auto-backups.ts';

const KEY_PREFIX = 'e2e-auto-backup-faults:';
const RECHECK_SECONDS = 8;
const DAY_MS = 86_400_000;

/** The service compares times in seconds. */
async function nextSecond(): Promise<void> {
  const now = () => Math.floor(Date.now() / 1000);
  const before = now();
  await eventually(async () => now() > before);
}

describe('an auto backup that something interferes with', function () {
  this.timeout(120_000);
  let stack: Stack;
  let control: CloudsimControl;
  let project: AutoBackupProject;

  before(async () => {
    stack = await startTestStack({
      ...simulatedCloud,
      ownRedis: true,
      workers: 2,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
      config: {
        redis: { key_prefix: KEY_PREFIX },
        jobs: {
          lock_seconds: 2,
          sweep_seconds: 1,
          poll_interval_ms: 50,
          late_call_seconds: 2,
          recheck_seconds: RECHECK_SECONDS,
        },
        time_limits: { step_retry_seconds: 1, undo_seconds: 5 },
      },
    });
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    project = await AutoBackupProject.prepare(stack, KEY_PREFIX);
  });

  afterEach(async () => {
    await control?.clear();
    await project?.clear();
  });

  after(async () => {
    await project?.remove();
    await stack?.stop();
  });

  const inRedis = <T>(ask: Parameters<typeof queryRedis<T>>[1]) =>
    queryRedis(Number(new URL(stack.redisUrl).port), ask);

  /** Makes the auto backup due; its run stops after this call, until the hold is released. */
  async function runHeldAfter(id: string, operation: string) {
    const run = await project.due.next(id);
    assert.ok(run);
    const held = await control.hold('after', { operation, requestId: run.requestId });
    await project.due.comesNow(id);
    assert.equal(await held.waitUntilReached(20_000), 'held');
    return { run, held };
  }

  for (const [when, hold] of [
    ['after its delegation was made', 'after'],
    ['before its delegation is made, which is late', 'late'],
  ] as const) {
    it(`leaves no delegation when the api is killed ${when}`, async () => {
      const volumeId = await project.volume();
      const requestId = newRequestId();
      const held = await control.hold(hold, { operation: 'trusts.create', requestId });
      const answer = project.gateway.request(
        'POST',
        autoBackupPath(volumeId),
        { schedule: dueInHours(12) },
        requestId,
      );
      answer.catch(() => {});
      assert.equal(await held.waitUntilReached(20_000), 'held');

      await stack.apis[0]?.kill('SIGKILL');
      await held.release();
      await stack.apis[0]?.restart();

      await eventually(async () => {
        const calls = await control.calls(requestId);
        return calls.some(({ operation, performed }) => operation === 'trusts.create' && performed);
      });
      await project.hasNoTrust();
      assert.equal(await project.read(volumeId), null);
      await eventually(async () => {
        const intents = await inRedis((redis) => redis.exists(`${KEY_PREFIX}{auto-backup}:intents`));
        return intents === 0;
      });
    });
  }

  for (const [what, fault] of [
    ['that a proxy answers 404 for', { status: 404, proxy: true, times: 0 }],
    ['that the service does not find once', { status: 404 }],
  ] as const) {
    it(`survives a read of a volume ${what}`, async () => {
      const volumeId = await project.volume();
      const { id } = await setUpAutoBackup(project.gateway, volumeId);
      const run = await project.due.next(id);
      await control.addFault({ operation: 'volumes.get', requestId: run?.requestId ?? '', ...fault });

      await project.run(id);
      const { last_status, last_error } = await project.outcome(volumeId);
      await control.clear();

      assert.equal(last_status, 'failed', last_error ?? '');
      // Longer than the time after which a missing volume counts as deleted.
      await eventually(async () => {
        const looks = await inRedis((redis) => redis.exists(`${KEY_PREFIX}{auto-backup}:looks`));
        return looks === 0;
      });
      assert.equal(await project.run(id), 'completed');
      assert.equal((await project.outcome(volumeId)).last_status, 'ok');
    });
  }

  it('is skipped during its previous run', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const { run, held } = await runHeldAfter(id, 'backups.create');

    await project.due.comesNow(id);
    const skipped = await project.outcome(volumeId);
    await held.release();

    assert.deepEqual(
      [skipped.last_status, skipped.last_error],
      ['skipped', 'The previous run was still going.'],
    );
    assert.equal(await project.jobEnd(run.jobId), 'completed');
    assert.equal((await project.names(volumeId)).length, 1);
    assert.equal((await project.read(volumeId))?.last_status, 'ok', 'the run that was going on');
  });

  it('is cancelled when deleted during its run, and cleans up', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const { run, held } = await runHeldAfter(id, 'backups.create');

    const answer = await project.gateway.request('DELETE', autoBackupPath(volumeId));
    const trusts = await project.cloud.trusts();
    await held.release();

    assert.equal(answer.status, 204);
    assert.equal(trusts.length, 1, 'the rollback needs the delegation');
    assert.equal(await project.jobEnd(run.jobId), 'cancelled');
    await project.hasNoTrust();
    assert.deepEqual(await project.names(volumeId), []);
    await project.volumeHas(volumeId, 'available');
  });

  it('continues with the new delegation when replaced during its run', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const { run, held } = await runHeldAfter(id, 'volumes.get');

    await setUpAutoBackup(project.gateway, volumeId, { retention: 3 });
    assert.equal((await project.cloud.trusts()).length, 1);
    await held.release();

    assert.equal(await project.jobEnd(run.jobId), 'completed');
    assert.equal((await project.names(volumeId)).length, 1);
    assert.equal((await project.read(volumeId))?.last_status, 'ok');
  });

  it('runs once, late, for all due times that were missed', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const last = await project.due.next(id);
    await inRedis((redis) =>
      redis.hset(`${KEY_PREFIX}{auto-backup}:configuration:${id}`, 'handledUntil', Date.now() - 5 * DAY_MS),
    );

    const record = await project.outcome(volumeId);

    assert.deepEqual([record.last_status, record.last_error], ['ok', null]);
    const names = await project.names(volumeId);
    assert.equal(names.length, 1);
    const latest = new Date((last?.due ?? 0) - DAY_MS).toISOString().slice(0, 16).replace(/\D/g, '');
    assert.ok(names[0]?.endsWith(latest), `${names[0]} is for ${latest}`);
    assert.deepEqual(await project.due.next(id), last, 'the next one is untouched');
  });

  it('keeps a backup on which others build, and says so', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId, { retention: 1 });
    await project.run(id);
    const [first] = await project.names(volumeId);
    await project.backUp(volumeId, { incremental: true });

    assert.equal(await project.run(id), 'completed');

    const names = await project.names(volumeId);
    assert.equal(names.length, 3);
    assert.ok(names.includes(first ?? ''));
    const record = await project.read(volumeId);
    assert.equal(record?.last_status, 'ok');
    assert.match(record?.last_error ?? '', /incremental backups depend/);
    const { backups } = await project.cloud.call<{ backups: { id: string; is_incremental: boolean }[] }>(
      'volumev3',
      'GET',
      '/backups/detail',
    );
    const dependent = backups.find(({ is_incremental }) => is_incremental);
    await project.cloud.call('volumev3', 'DELETE', `/backups/${dependent?.id}`);
    await eventually(async () => (await project.backups(volumeId)).length === 2);
    await project.run(id);
    assert.equal((await project.names(volumeId)).length, 1, 'the next run deletes it');
  });

  it('begins with a full backup again where the service would refuse another', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId, { retention: 10, full_every: 10 });
    const act = (body: object) => project.cloud.call('volumev3', 'POST', `/volumes/${volumeId}/action`, body);
    const seen = new Set<string>();
    const made = async () => {
      await project.run(id);
      const { last_status, last_error } = await project.outcome(volumeId);
      assert.deepEqual([last_status, last_error], ['ok', null]);
      const [backup] = (await project.backups(volumeId)).filter(({ id: made }) => !seen.has(made));
      seen.add(backup?.id ?? '');
      await nextSecond();
      return backup?.is_incremental;
    };

    const first = [await made(), await made()];
    seen.add(await project.backUp(volumeId));
    await nextSecond();
    const afterOther = [await made(), await made()];
    await act({ 'os-extend': { new_size: 2 } });
    await project.volumeHas(volumeId, 'available');
    const afterGrowth = [await made(), await made()];
    await control.addFault({ operation: 'backups.create', status: 400 });
    assert.equal(await project.run(id), 'failed');
    const afterFailure = [await made(), await made()];

    for (const kinds of [first, afterOther, afterGrowth, afterFailure])
      assert.deepEqual(kinds, [false, true]);
  });

  it('keeps its new backup while older ones cannot be deleted', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId, { retention: 1 });
    await project.run(id);
    await control.addFault({ operation: 'backups.delete', status: 400, times: 0 });

    const status = await project.run(id);

    assert.equal(status, 'completed');
    const record = await project.read(volumeId);
    assert.equal(record?.last_status, 'ok');
    assert.match(record?.last_error ?? '', /older ones could not be deleted/);
    assert.equal((await project.names(volumeId)).length, 2);
    await control.clear();
    await project.run(id);
    await eventually(async () => (await project.names(volumeId)).length === 1);
    assert.equal((await project.read(volumeId))?.last_error, null);
  });

  for (const status of ['error', 'error_deleting']) {
    it(`deletes the remains of a failed deletion in state ${status}`, async () => {
      const volumeId = await project.volume();
      const { id } = await setUpAutoBackup(project.gateway, volumeId, { retention: 2 });
      await project.run(id);
      const [failed] = await project.backups(volumeId);
      await project.run(id);
      await project.admin.call('volumev3', 'POST', `/backups/${failed?.id}/action`, {
        'os-reset_status': { status },
      });

      await project.run(id);

      await eventually(async () => {
        const left = await project.backups(volumeId);
        assert.deepEqual([left.length, left.some((backup) => backup.id === failed?.id)], [2, false]);
        return true;
      });
      assert.equal((await project.read(volumeId))?.last_error, null);
    });
  }

  it('removes a backup that fails, and reports the reason', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const { run, held } = await runHeldAfter(id, 'backups.create');
    const [backup] = await project.backups(volumeId);
    await project.admin.call('volumev3', 'POST', `/backups/${backup?.id}/action`, {
      'os-reset_status': { status: 'error' },
    });
    await held.release();

    assert.equal(await project.jobEnd(run.jobId), 'failed');
    const record = await project.read(volumeId);
    assert.deepEqual(
      [record?.last_status, record?.last_error],
      ['failed', 'The backup reached the state error.'],
    );
    assert.deepEqual(await project.names(volumeId), []);
  });

  it('is in the list of jobs until its record expires', async () => {
    const volumeId = await project.volume();
    const { id } = await setUpAutoBackup(project.gateway, volumeId);
    const { jobId } = await project.due.comesNow(id);
    await project.jobEnd(jobId);

    const { items } = await project.gateway.read<{
      items: { id: string; type: string; resource_id: string }[];
    }>('/api/jobs?type=volume.auto-backup');

    const [backup] = await project.backups(volumeId);
    assert.deepEqual(
      items.filter((item) => item.id === jobId).map((item) => item.resource_id),
      [backup?.id],
    );
    const keys = await inRedis((redis) => redis.keys(`${KEY_PREFIX}{jobs}:*:${jobId}*`));
    assert.ok(keys.length > 0);
    for (const key of keys) {
      const seconds = await inRedis((redis) => redis.ttl(key));
      assert.ok(seconds > 0 && seconds <= 24 * 3600, `${key} lives for ${seconds} s`);
    }
    const listed = await project.gateway.request<AutoBackup[]>(
      'POST',
      '/api/volumes/backups/auto-backup/configs',
    );
    assert.equal(listed.body.length, 1);
  });
});
