import { type AutoBackup, nextDue } from '@gateway/auto-backup';
import { toTimestamp } from '@gateway/core';

/** An auto backup as the interface shows it. */
export function presentAutoBackup(configuration: AutoBackup, now: number) {
  const { schedule, handledUntil, last } = configuration;
  return {
    id: configuration.id,
    volume_id: configuration.volumeId,
    project_id: configuration.projectId,
    schedule,
    retention: configuration.retention,
    prefix: configuration.prefix,
    enabled: true,
    created_at: toTimestamp(configuration.createdAt),
    updated_at: toTimestamp(configuration.updatedAt),
    next_run_at: toTimestamp(nextDue(schedule, Math.max(now, handledUntil))),
    last_run_at: toTimestamp(last?.at),
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
  };
}
