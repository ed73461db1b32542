import { Cluster } from 'ioredis';
import type { Redis } from './client.ts';

/** Makes a script known to whoever may have to run it, which is every primary of a Cluster; gives its digest. */
export async function loadScript(redis: Redis, script: string): Promise<string> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const digests = await Promise.all(servers.map((server) => server.script('LOAD', script)));
  return String(digests[0]);
}
