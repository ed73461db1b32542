import { type AutoBackup, AutoBackupStore, type RunOutcome } from '@gateway/auto-backup';
import { newId, Sealer } from '@gateway/core';
import { HOUR_MS, TimeSeriesStore } from '@gateway/inventory';
import { HealthResults, type HealthStatus, LiteClusterStore, unknownHealth } from '@gateway/lite';
import { Redis } from 'ioredis';
import type { Stack } from '../../scripts/stack.ts';
import { demoServiceUser } from '../../scripts/stack-environment.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { freshKeyPrefix } from '../support/redis/test-redis.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { failedJob } from '../support/subjects/leftovers.ts';

/** A gateway with something to show to its operators. */
export interface OperatorsStack {
  stack: Stack;
  failedId: string;
  runningId: string;
  /** Stores auto backups and lite clusters, some of which fail. Workers that live would change them. */
  addFailing(): Promise<void>;
  stop(): Promise<void>;
}

/** What users have typed, which the page must not show. */
const typed = { admin_pass: 'Typed-Password-4711' };

/** Has a job that failed, one that runs until the end, a leftover, and four days of snapshots. */
export async function startOperatorsStack(): Promise<OperatorsStack> {
  const keyPrefix = freshKeyPrefix('stack');
  const stack = await startTestStack({
    ...simulatedCloud,
    env: demoServiceUser,
    config: {
      ops: { enabled: true, allow_changes: true },
      redis: { key_prefix: keyPrefix },
      services: { lite: true },
    },
  });
  const control = new CloudsimControl(stack.cloudsim?.url ?? '');
  const stop = async (): Promise<void> => {
    await control.clear();
    await stack.stop();
  };
  try {
    const member = await GatewayClient.logIn(stack.url, testLogin('demo'));
    await storeSnapshots(stack.redisUrl, keyPrefix);
    const failedId = await failedJob(member);
    await makeLeftover(stack, failedId);
    const addFailing = () => storeFailing(stack.redisUrl, keyPrefix, member);
    return { stack, failedId, runningId: await startJob(control, member), addFailing, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A volume that the failed job could have made, and that nothing has. */
async function makeLeftover({ identityUrl }: Stack, jobId: string): Promise<void> {
  const cloud = await CloudClient.logIn(identityUrl ?? '', testLogin('demo'));
  const volume = { name: 'stray-volume', size: 1, metadata: { gateway_job_id: jobId } };
  await cloud.call('volumev3', 'POST', '/volumes', { volume });
}

/** A creation that waits for the cloud. */
async function startJob(control: CloudsimControl, member: GatewayClient): Promise<string> {
  const hold = await control.hold('before', { service: 'compute', operation: 'servers.create' });
  const request = await member.smallInstanceRequest('running');
  const stream = await member.createInstance({ ...request, ...typed });
  if ((await hold.waitUntilReached(60_000)) !== 'held') throw new Error('The job did not reach the cloud.');
  return stream.headers.get('x-job-id') ?? '';
}

/** Four days of snapshots. */
async function storeSnapshots(redisUrl: string, keyPrefix: string): Promise<void> {
  const redis = new Redis(redisUrl, { keyPrefix });
  const store = new TimeSeriesStore({ redis, keepSeconds: 3_000_000 });
  const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  for (let age = 4 * 24; age > 0; age -= 1) {
    const hour = thisHour - age * HOUR_MS;
    const wave = Math.round(20 * Math.sin(age / 7));
    const total = 120 - age + wave + 20;
    await store.add('instances', hour, {
      total,
      active: total - 9,
      shutoff: 6,
      error: age % 30 === 0 ? 3 : 1,
      other: 2,
    });
    const volumes = {
      total: total * 2,
      available: 20 + wave,
      in_use: total * 2 - 20 - wave,
      total_gb: total * 55,
    };
    await store.add('volumes', hour, volumes);
    await store.add('networks', hour, {
      networks: 14,
      routers: 9,
      floating_ips_total: 40,
      floating_ips_used: 30 + (age % 9),
    });
    await store.add('file_storage', hour, { total: 12 + (age % 5), total_gb: 900 - age });
  }
  redis.disconnect();
}

async function storeFailing(redisUrl: string, keyPrefix: string, member: GatewayClient): Promise<void> {
  const redis = new Redis(redisUrl, { keyPrefix });
  const volumes = await member.read<{ id: string }[]>('/api/volumes');
  const { user_id: userId } = await member.read<{ user_id: string }>('/api/auth/me');
  const owner = { projectId: member.projectId, userId };
  await storeAutoBackups(redis, owner, volumes[0]?.id ?? '');
  await storeClusters(redis, owner);
  redis.disconnect();
}

type Owner = Pick<AutoBackup, 'projectId' | 'userId'>;

/** One fails, one is overdue, and one is well. */
async function storeAutoBackups(redis: Redis, owner: Owner, volumeId: string): Promise<void> {
  const store = new AutoBackupStore(redis);
  const now = Date.now();
  const daysAgo = (days: number) => now - days * 24 * HOUR_MS;
  const add = async (volume: string, handledUntil: number, outcomes: RunOutcome[]) => {
    const settings = { schedule: '0 3 * * *', retention: 5, prefix: 'auto', fullEvery: 1, enabled: true };
    const state = { version: 1, missingSince: null, last: null, lastOkAt: null, sealedDelegation: '' };
    const times = { createdAt: daysAgo(30), updatedAt: daysAgo(30), handledUntil };
    const id = newId();
    const configuration = { ...owner, ...settings, ...state, ...times, id, volumeId: volume };
    await store.import(configuration, { overwrite: false });
    for (const outcome of outcomes) await store.recordOutcome(id, outcome.at, outcome);
  };
  const error =
    'The quota of the project does not suffice for the backup: gigabytes: 100 requested, 950 of 1000 in use.';
  await add(volumeId, now, [
    { status: 'ok', error: null, at: daysAgo(4) },
    { status: 'failed', error, at: daysAgo(1) },
  ]);
  await add(newId(), daysAgo(3), []);
  await add(newId(), now, [{ status: 'ok', error: null, at: daysAgo(1) }]);
}

/** One of each health. */
async function storeClusters(redis: Redis, owner: Owner): Promise<void> {
  const store = new LiteClusterStore({ redis, sealer: new Sealer([{ id: 'test', key: Buffer.alloc(32) }]) });
  const results = new HealthResults(redis, 3600);
  const reasons: [HealthStatus, string | null][] = [
    ['HEALTHY', null],
    ['UNKNOWN', null],
    ['UNHEALTHY', 'The control node reports: etcd has no leader.'],
    ['UNREACHABLE', null],
  ];
  for (const [status, statusReason] of reasons) {
    const id = newId();
    const name = `cluster-${status.toLowerCase()}`;
    const cluster = { ...owner, id, name, keyName: null, networkId: 'network-1', agentFlavorId: 'flavor-1' };
    await store.create({ ...cluster, creationJobId: newId(), plugins: [], createdAt: Date.now() });
    await store.update({ ...owner, id, name }, { status: 'ACTIVE', statusReason }, ['CREATING']);
    if (status === 'UNKNOWN') continue;
    await results.put({ ...unknownHealth({ id, name, reachability: 'none' }), status });
  }
}
