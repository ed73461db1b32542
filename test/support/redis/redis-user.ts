import { Redis } from 'ioredis';
import type { RunningRedis } from '../../../scripts/redis.ts';

/** Creates a user with these rules of the server's access control. Returns the URL with which it connects. */
export async function createRedisUser(
  { port, url }: Pick<RunningRedis, 'port' | 'url'>,
  name: string,
  rules: readonly string[],
): Promise<string> {
  const redis = new Redis(url, { enableReadyCheck: false });
  try {
    await redis.call('ACL', 'SETUSER', name, 'on', '>secret', ...rules);
  } finally {
    redis.disconnect();
  }
  return `redis://${name}:secret@127.0.0.1:${port}`;
}
