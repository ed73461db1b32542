import { openRedis } from '@gateway/store';
import type { Stack } from '../../../scripts/stack.ts';
import { CloudClient } from '../../support/clients/cloud-client.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../../support/clients/gateway-client.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import { createPlainly, removeAll } from '../baselines/creation.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 25;
const BUDGET_MS = 40;

/**
 * A creation through queue and saga, against the same upstream calls in plain sequential code. The simulated
 * cloud adds no latency. About twenty writes of the store follow each other, and each waits for the disk, so
 * the note states what one takes.
 */
export async function creation(stack: Stack): Promise<Row> {
  const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
  const request = await gateway.smallInstanceRequest('bench');

  const ours: number[] = [];
  const bare: number[] = [];
  const calls = { ours: 0, bare: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    calls.bare = await countingCalls(stack, async () => {
      bare.push(await timed(async () => void (await createPlainly(cloud, request))));
    });
    await removeAll(cloud);
    calls.ours = await countingCalls(stack, async () => {
      ours.push(await timed(() => createThrough(gateway, request)));
    });
    await removeAll(cloud);
  }
  const added = median(ours) - median(bare);
  return {
    name: 'creation of an instance',
    unit: 'ms',
    gateway: median(ours),
    floor: median(bare),
    result: added,
    resultUnit: 'ms added',
    budget: `<= ${BUDGET_MS} ms`,
    met: added <= BUDGET_MS,
    note:
      `${calls.ours} upstream calls against ${calls.bare}; ` +
      `a write of the store takes ${(await writeMs(stack.redisUrl)).toFixed(2)} ms`,
  };
}

/** The median time of a write of the store, with the flush to its disk. */
async function writeMs(url: string): Promise<number> {
  const redis = openRedis({ url, cacheUrl: url, keyPrefix: 'bench-writes:' }, 'wait');
  try {
    const times: number[] = [];
    for (let write = 0; write < 200; write += 1) {
      times.push(await timed(async () => void (await redis.store.set('write', write))));
    }
    return median(times);
  } finally {
    await redis.close();
  }
}

async function createThrough(gateway: GatewayClient, request: InstanceRequest): Promise<void> {
  const last = (await messagesOf(await gateway.createInstance(request))).at(-1);
  if (last?.step !== 'COMPLETED') throw new Error(`A creation failed: ${last?.error}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function countingCalls({ cloudsim }: Stack, work: () => Promise<void>): Promise<number> {
  const url = `${cloudsim?.url}/_control/calls`;
  await fetch(url, { method: 'DELETE' });
  await work();
  const { calls } = (await (await fetch(url)).json()) as { calls: unknown[] };
  return calls.length;
}
