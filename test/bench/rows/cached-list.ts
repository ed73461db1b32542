import { Redis } from '@gateway/redis';
import { startServer } from '../../../scripts/server-process.ts';
import type { Stack } from '../../../scripts/stack.ts';
import { GatewayClient } from '../../support/gateway-client.ts';
import { testLogin } from '../../support/test-stack.ts';
import { compare } from '../rounds.ts';
import type { Row } from '../row.ts';

const FLOOR_KEY = 'bench:floor';

/** A cached list against bare Express and one read of the same bytes. */
export async function cachedList(stack: Stack): Promise<Row> {
  const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  const { text } = await gateway.request('GET', '/api/flavors');
  const redis = new Redis(stack.redisUrl);
  await redis.set(FLOOR_KEY, text);
  await redis.quit();
  const floor = await startServer({
    name: 'floor',
    entry: 'test/bench/floors/cached.ts',
    portVariable: 'PORT',
    healthPath: '/health',
    env: { ...process.env, FLOOR_REDIS_URL: stack.redisUrl, FLOOR_KEY },
  });
  try {
    return await compare({
      name: `cached list (${text.length} bytes)`,
      gateway: { url: `${stack.url}/api/flavors`, headers: gateway.headers(), pid: stack.apis[0]?.pid ?? 0 },
      floor: { url: `${floor.url}/list`, headers: gateway.headers(), pid: floor.pid },
      budget: 0.8,
    });
  } finally {
    await floor.stop();
  }
}
