import { ensureProgram } from './ensure-program.ts';

/**
 * The path of a Redis server program, which is installed if there is none.
 * @throws when there is none and none can be installed; the message explains what to install
 */
export async function ensureRedisServer(): Promise<string> {
  const found = await ensureProgram(['redis-server', 'valkey-server'], 'redis-server');
  if (found !== null) return found;
  throw new Error(
    'Redis is needed and none was found: install the package redis-server (or valkey), or set REDIS_URL to a running one.',
  );
}
