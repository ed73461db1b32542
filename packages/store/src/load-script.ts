import { Cluster } from 'ioredis';
import type { Redis } from './redis.ts';

/** Loads a script into the server, or into every primary of a Cluster, and returns its SHA-1 digest. */
export async function loadScript(redis: Redis, script: string): Promise<string> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const digests = await Promise.all(servers.map((server) => server.script('LOAD', script)));
  return String(digests[0]);
}
