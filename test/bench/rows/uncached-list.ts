import { startServer } from '../../../scripts/server-process.ts';
import { startStack } from '../../../scripts/stack.ts';
import { compare } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startUpstream } from '../start-upstream.ts';

/** A list from upstream, against plain Express, got, and JSON parsing and formatting. */
export async function uncachedList(redisUrl: string): Promise<Row> {
  const upstream = await startUpstream();
  const floor = await startServer({
    name: 'floor',
    entry: 'test/bench/baselines/uncached.ts',
    portVariable: 'PORT',
    healthPath: '/health',
    env: { ...process.env, FLOOR_UPSTREAM_URL: `${upstream.url}/v2.1/os-keypairs` },
  });
  const stack = await startStack({
    redisUrl,
    workers: 0,
    discardLogs: true,
    identityUrl: `${upstream.url}/v3`,
    config: { redis: { key_prefix: 'bench-uncached:' } },
  });
  const headers = { 'x-auth-token': 'bench-token', 'x-project-id': 'benchproject' };
  try {
    return await compare({
      name: 'uncached list (50 rows)',
      gateway: { url: `${stack.url}/api/keypairs`, headers, pid: stack.apis[0]?.pid ?? 0 },
      floor: { url: `${floor.url}/list`, headers, pid: floor.pid },
      budget: 0.8,
    });
  } finally {
    await stack.stop();
    await floor.stop();
    await upstream.stop();
  }
}
