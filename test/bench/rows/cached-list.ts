import { Redis } from 'ioredis';
import { startServer } from '../../../scripts/server-process.ts';
import type { Stack } from '../../../scripts/stack.ts';
import { CloudClient } from '../../support/cloud-client.ts';
import { GatewayClient } from '../../support/gateway-client.ts';
import { testLogin } from '../../support/test-stack.ts';
import { compare } from '../rounds.ts';
import type { Row } from '../row.ts';

const FLOOR_KEY = 'bench:floor';

const SERVERS = 40;

/** A short and a long cached list, against plain Express and one read of the same bytes. */
export async function cachedLists(stack: Stack): Promise<Row[]> {
  const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
  await makeServers(cloud);
  const rows = [await cachedList(stack, '/api/flavors'), await cachedList(stack, '/api/instances')];
  const { servers } = await cloud.resourceIds();
  await Promise.all(servers.map((id) => cloud.call('compute', 'DELETE', `/servers/${id}`)));
  return rows;
}

async function makeServers(cloud: CloudClient): Promise<void> {
  const { images } = await cloud.call<{ images: { id: string }[] }>('image', 'GET', '/v2/images');
  const { flavors } = await cloud.call<{ flavors: { id: string }[] }>('compute', 'GET', '/flavors');
  for (let number = 0; number < SERVERS; number += 1) {
    await cloud.call('compute', 'POST', '/servers', {
      server: {
        name: `bench-${number}`,
        flavorRef: flavors[0]?.id,
        imageRef: images[0]?.id,
        networks: 'none',
      },
    });
  }
}

async function cachedList(stack: Stack, path: string): Promise<Row> {
  const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  const { text } = await gateway.request('GET', path);
  const redis = new Redis(stack.redisUrl);
  await redis.set(FLOOR_KEY, text);
  await redis.quit();
  const floor = await startServer({
    name: 'floor',
    entry: 'test/bench/baselines/cached.ts',
    portVariable: 'PORT',
    healthPath: '/health',
    env: { ...process.env, FLOOR_REDIS_URL: stack.redisUrl, FLOOR_KEY },
  });
  try {
    return await compare({
      name: `cached list (${path}, ${text.length} bytes)`,
      gateway: { url: stack.url + path, headers: gateway.headers(), pid: stack.apis[0]?.pid ?? 0 },
      floor: { url: `${floor.url}/list`, headers: gateway.headers(), pid: floor.pid },
      budget: 0.8,
    });
  } finally {
    await floor.stop();
  }
}
