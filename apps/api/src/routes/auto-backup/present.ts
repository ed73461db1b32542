import { type AutoBackup, nextBegin } from '@gateway/auto-backup';
import { toTimestamp } from '@gateway/core';
import { addNames, ownProjectName, volumeNames } from '@gateway/resources';
import type { AppContext } from '../../context.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { PresentedAutoBackup } from './shapes.ts';

/** Auto backups with the names of their volumes and of the project. */
export function presentAutoBackups(request: RequestContext, configurations: readonly AutoBackup[]) {
  const rows = configurations.map((configuration) => presentAutoBackup(request.app, configuration));
  return addNames(sourcesOf(request), rows, { volume_id: volumeNames.project, project_id: ownProjectName });
}

/** An auto backup as the interface shows it, without names. */
export function presentAutoBackup(
  { clock, config }: Pick<AppContext, 'clock' | 'config'>,
  configuration: AutoBackup,
): PresentedAutoBackup {
  const { schedule, last } = configuration;
  const nextRunAt = nextBegin(configuration, clock.now(), config.autoBackup.spreadSeconds);
  return {
    id: configuration.id,
    volume_id: configuration.volumeId,
    volume_name: null,
    project_id: configuration.projectId,
    project_name: null,
    schedule,
    retention: configuration.retention,
    prefix: configuration.prefix,
    full_every: configuration.fullEvery,
    enabled: configuration.enabled,
    created_at: toTimestamp(configuration.createdAt),
    updated_at: toTimestamp(configuration.updatedAt),
    next_run_at: toTimestamp(nextRunAt),
    last_run_at: toTimestamp(last?.at),
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
  };
}
