import { excessMemory, trimHistories } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';

/** Keeps the histories of all projects within their bound, and lets them give way while memory is short. */
export async function trimAllHistories({ config, logger, redis, stopping }: WorkerContext): Promise<void> {
  const excessBytes = await excessMemory(redis.store);
  const { maxTotalRecords } = config.history;
  const { signal } = stopping;
  const removed = await trimHistories(redis.store, { maxTotalRecords, excessBytes, signal });
  if (removed === 0) return;
  const message = 'The oldest entries of histories were removed';
  logger[excessBytes > 0 ? 'warn' : 'info'](message, { removed, excess_bytes: excessBytes });
}
