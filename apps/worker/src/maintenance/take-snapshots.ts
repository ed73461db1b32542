import { derivedId, newRequestId } from '@gateway/core';
import { HOUR_MS, TIME_SERIES_TYPES } from '@gateway/inventory';
import type { WorkerContext } from '../context.ts';

/** The pause after a failed snapshot of an hour. */
const RETRY_MS = 10 * 60_000;

/**
 * Starts the job that takes the snapshots of the current hour, unless they are stored. Its id follows from
 * the hour, so it is one job however many workers there are. Only an administrator sees the whole cloud:
 * without such a service user there are no snapshots.
 */
export async function takeSnapshots({
  config,
  producer,
  serviceAccount,
  timeSeries,
}: WorkerContext): Promise<void> {
  const now = Date.now();
  const hour = now - (now % HOUR_MS);
  const stored = await Promise.all(TIME_SERIES_TYPES.map((type) => timeSeries.has(type, hour)));
  if (stored.every(Boolean)) return;
  const identity = await serviceAccount.identity({ requestId: newRequestId() });
  if (!identity?.roles.includes(config.identity.adminRole)) return;
  const jobId = derivedId('time-series', hour, Math.floor((now - hour) / RETRY_MS));
  const { projectId, userId } = identity;
  await producer.enqueueWithoutCredential(
    { type: 'timeseries.snapshot', payload: { hour }, requestId: `req-${jobId}`, jobId },
    { projectId, userId },
  );
}
