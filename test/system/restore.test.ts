import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { jobKeys, Queues, queueNames } from '@gateway/jobs';
import { Redis } from 'ioredis';
import type { RunningRedis } from '../../scripts/redis.ts';
import { projectRoot } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import {
  environmentWithoutSettings,
  newSealingKeys,
  writeConfigFile,
} from '../../scripts/stack-environment.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl, type Inventory } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { type LiteCluster, readCluster } from '../support/lite/clusters.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { copyStore, type StoreCopy } from '../support/redis/store-copy.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { autoBackupPath } from '../support/subjects/auto-backups.ts';
import { nameSuffix, RestoreLoad } from '../support/subjects/restore-load.ts';

/** Moments at which the copy is taken; `RESTORE_MOMENTS=20 RESTORE_SEED=1` sets both. */
const MOMENTS = Number(process.env.RESTORE_MOMENTS ?? 1);
const SEED = Number(process.env.RESTORE_SEED ?? Math.floor(Math.random() * 1_000_000));
/** About as many calls to the cloud as the load makes. How often it polls depends on the machine. */
const MAX_CALLS = 150;
const TIMEOUT_MS = 180_000;
const KEY_PREFIX = 'e2e-restore:';
/** Each sweep, check and correction runs this often after a restore. */
const ROUNDS = 3;
const TASKS = ['sweep', 'restore', 'clusters', 'cluster-records', 'auto-backups', 'delegations'];
const DAY_MS = 86_400_000;
const sealingKeys = newSealingKeys();

describe('a store that is restored from an older copy', function () {
  this.timeout(600_000);
  let stack: Stack;
  let control: CloudsimControl;
  let cloud: CloudClient;
  let restored: RunningRedis | undefined;
  let copy: StoreCopy | undefined;

  beforeEach(async () => {
    stack = await startTestStack({
      ...simulatedCloud,
      ownRedis: true,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
      env: { GATEWAY_SEALING_KEYS: sealingKeys },
      config: {
        redis: { key_prefix: KEY_PREFIX },
        auto_backup: { min_interval_seconds: 60 },
        jobs: { lock_seconds: 3, sweep_seconds: 1, recheck_seconds: 2 },
        lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1 },
      },
    });
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
  });

  afterEach(async () => {
    await stack?.stop();
    await restored?.stop();
    copy?.remove();
  });

  const inStore = <T>(query: (redis: Redis) => Promise<T>) => queryRedis(restored?.port ?? 0, query);

  const openJobs = () => inStore((redis) => redis.zrange(KEY_PREFIX + jobKeys.open, '0', '-1'));

  /** Says to the gateway that the store was restored. */
  function announce(copiedAt: number): Promise<string> {
    return command('restore', '--copied-at', new Date(copiedAt).toISOString());
  }

  /** Runs a command of the worker with the restored store, and returns what it prints. */
  async function command(folder: string, ...words: string[]): Promise<string> {
    const args = [`apps/worker/src/${folder}/main.ts`, ...words];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: projectRoot,
      env: {
        ...environmentWithoutSettings(),
        GATEWAY_SEALING_KEYS: sealingKeys,
        REDIS_URL: restored?.url,
        GATEWAY_CONFIG: writeConfigFile({ redis: { key_prefix: KEY_PREFIX } }),
        OS_AUTH_URL: stack.identityUrl ?? '',
      },
    });
    return stdout;
  }

  async function stopProcesses(): Promise<void> {
    await Promise.all([...stack.workers, ...stack.apis].map((process) => process.stop()));
    await stack.redis?.stop();
  }

  /** Waits until each maintenance task has run several times, and the copied entries have been taken. */
  async function untilMaintained(interrupted: readonly string[]): Promise<void> {
    const connection = new Redis(restored?.url ?? '', { maxRetriesPerRequest: null });
    const queues = new Queues(connection, KEY_PREFIX);
    const runsOf = async (task: string) =>
      (await (await queues.open('maintenance')).getJobScheduler(`maintenance.${task}`))?.iterationCount ?? 0;
    const before = new Map(await Promise.all(TASKS.map(async (task) => [task, await runsOf(task)] as const)));
    await eventually(async () => {
      for (const task of TASKS) if ((await runsOf(task)) < (before.get(task) ?? 0) + ROUNDS) return undefined;
      for (const name of queueNames)
        for (const id of interrupted) if (await queues.has(name, id)) return undefined;
      return true;
    }, TIMEOUT_MS);
    await queues.close();
    connection.disconnect();
  }

  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const calls = callsBefore(SEED + moment);

    it(`loses no record and removes nothing, copied after ${calls} calls`, async () => {
      const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
      const leaver = await GatewayClient.logIn(stack.url, testLogin('alice'));
      const load = await RestoreLoad.prepare(gateway, cloud);
      await leaver.read('/api/auth/me');
      await control.clearCalls();
      await load.begin();
      // The copy after more calls than the load makes is the one after its end.
      await eventually(async () => (await control.calls()).length >= calls || load.isEnded, TIMEOUT_MS);
      copy = await copyStore(stack.redis ?? assert.fail('The stack has no Redis.'));
      const kubeconfig = (await gateway.request('GET', `/api/lite/clusters/${load.cluster.id}/kubeconfig`))
        .text;
      assert.equal((await leaver.request('POST', '/api/auth/logout')).status, 204);
      await load.end(copy.copiedAt);
      await stopProcesses();
      const used = await control.inventory();
      const backups = await load.backups();

      restored = await copy.restore();
      const interrupted = await openJobs();
      const copiedClusters = await inStore((redis) => redis.smembers(`${KEY_PREFIX}{lite}:open`));
      const restoredAt = Date.now();
      const said = await announce(copy.copiedAt);
      assert.deepEqual(await openJobs(), []);
      assert.match(said, new RegExp(`^${interrupted.length} jobs have ended as interrupted`));
      assert.match(await announce(copy.copiedAt), /Nothing was changed/);
      await assert.rejects(announce(copy.copiedAt - DAY_MS), /The store has been used at/);
      const file = join(mkdtempSync(join(tmpdir(), 'gateway-export-')), 'export.json');
      assert.match(await command('transfer', 'export', file), /^auto backups: 1\nlite clusters: \d\n/);
      assert.match(await command('transfer', 'import', file), /^auto backups: 0 created, 0 replaced, 1 were/);
      rmSync(dirname(file), { recursive: true });
      const api = await stack.addApi({ REDIS_URL: restored.url });
      await stack.addWorker({ REDIS_URL: restored.url });
      const again = gateway.at(api.url);

      for (const { key, jobId } of load.creations.filter((one) => interrupted.includes(one.jobId))) {
        const repeated = await load.create(key, again);
        const last = (await repeated.messages).at(-1);
        assert.deepEqual(
          [repeated.jobId, last?.step, last?.code],
          [jobId, 'FAILED', 'interrupted_by_restore'],
        );
      }
      await untilMaintained(interrupted);
      assert.equal((await leaver.at(api.url).request('GET', '/api/instances')).status, 401);
      assert.deepEqual(missingFrom(await control.inventory(), used), [], 'nothing is removed');
      for (const jobId of interrupted) await isInterrupted(again, jobId);
      assert.equal((await again.request('GET', autoBackupPath(load.volumeId))).status, 200);
      const clusters = await Promise.all(copiedClusters.map((id) => readCluster(again, id)));
      assert.ok(clusters.every(isSettled), JSON.stringify(clusters));
      const restoredFile = await again.request('GET', `/api/lite/clusters/${load.cluster.id}/kubeconfig`);
      assert.equal(restoredFile.text, kubeconfig);
      const added = (await load.backups()).filter((due) => !backups.includes(due));
      assert.ok(
        added.every((due) => due > nameSuffix(restoredAt)),
        `no backup for a due time before the restore: ${added}`,
      );
      const all = await load.backups();
      assert.equal(new Set(all).size, all.length, 'one backup per due time');
      console.log(
        `      seed ${SEED + moment}: ${interrupted.length} jobs interrupted, ${copiedClusters.length} clusters and 1 auto backup in the copy; 0 lost, 0 removed, 0 doubled`,
      );
    });
  }
});

/** A number of calls to the cloud, by the seed. */
function callsBefore(seed: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return 1 + (mixed % MAX_CALLS);
}

function missingFrom(inventory: Inventory, used: Inventory): string[] {
  return [...used].flatMap(([kind, ids]) =>
    [...ids].filter((id) => inventory.get(kind)?.has(id) !== true).map((id) => `${kind} ${id}`),
  );
}

async function isInterrupted(gateway: GatewayClient, jobId: string): Promise<void> {
  const answer = await gateway.request<{ status: string; error: string }>('GET', `/api/jobs/${jobId}`);
  // Jobs of the gateway itself are not shown.
  if (answer.status === 404) return;
  assert.deepEqual([answer.status, answer.body.status], [200, 'failed']);
  assert.match(answer.body.error, /restored from an older copy/);
}

function isSettled({ status }: LiteCluster): boolean {
  return status === 'ACTIVE' || status === 'ERROR';
}
