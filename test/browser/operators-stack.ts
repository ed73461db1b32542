import { HOUR_MS, TimeSeriesStore } from '@gateway/inventory';
import { unreplicatedWrite } from '@gateway/store';
import { Redis } from 'ioredis';
import type { Stack } from '../../scripts/stack.ts';
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
  stop(): Promise<void>;
}

/** What users have typed, which the page must not show. */
const typed = { admin_pass: 'Typed-Password-4711' };

/** Has a job that failed, one that runs until the end, a leftover, and four days of snapshots. */
export async function startOperatorsStack(): Promise<OperatorsStack> {
  const keyPrefix = freshKeyPrefix('stack');
  const stack = await startTestStack({
    ...simulatedCloud,
    config: { ops: { enabled: true, allow_changes: true }, redis: { key_prefix: keyPrefix } },
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
    return { stack, failedId, runningId: await startJob(control, member), stop };
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
  const store = new TimeSeriesStore({ redis, replicatedWrite: unreplicatedWrite, keepSeconds: 3_000_000 });
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
