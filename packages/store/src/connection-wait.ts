import { isReadyWithin } from './readiness.ts';
import type { Redis } from './redis.ts';

/** A command was not sent, because its connection was not ready in time. */
class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

/**
 * Returns a function to call before commands: it waits while a connection with the policy `fail-fast` is
 * being made, as at the start of a process or after a short interruption. When that has taken `timeoutMs`,
 * the function throws at once until the connection is ready.
 */
export function createConnectionWait(redis: Redis, timeoutMs: number): () => Promise<void> {
  let connecting: Promise<boolean> | null = null;
  redis.on('ready', () => {
    connecting = null;
  });
  return async () => {
    // Without the policy `fail-fast`, ioredis keeps the commands until the connection is ready.
    if (redis.status === 'ready' || redis.options.enableOfflineQueue !== false) return;
    connecting ??= isReadyWithin(redis, timeoutMs);
    if (!(await connecting)) throw new NotReadyError('The connection to Redis is not ready.');
  };
}
