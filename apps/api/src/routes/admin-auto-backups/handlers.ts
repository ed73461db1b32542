import { type AutoBackup, isOverdue } from '@gateway/auto-backup';
import { mapInSlices, toTimestamp } from '@gateway/core';
import { addNames, allProjectNames, volumeNames } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { presentAutoBackup } from '../auto-backup/present.ts';
import type { AllAutoBackupsQuery } from './schemas.ts';
import type { AdminAutoBackup } from './shapes.ts';

/** Chooses before it names the rows: the names of the volumes are a list of the whole cloud. */
export async function listAllAutoBackups(
  request: RequestContext<unknown, AllAutoBackupsQuery>,
): Promise<AdminAutoBackup[]> {
  const { app, query } = request;
  // A volume that was missing once may be gone: the workers find out.
  const found = (await app.autoBackups.store.readAll()).filter(({ missingSince }) => missingSince === null);
  const judged = await mapInSlices(found, (configuration) => judge(request, configuration));
  const wanted = query.needs_attention;
  const chosen = judged.filter(({ needs_attention }) => wanted === undefined || needs_attention === wanted);
  const rows = await mapInSlices(chosen, ({ configuration, ...judgement }) => ({
    ...presentAutoBackup(app, configuration),
    last_ok_at: toTimestamp(configuration.lastOkAt),
    ...judgement,
  }));
  return addNames(sourcesOf(request), rows, { volume_id: volumeNames.cloud, project_id: allProjectNames });
}

function judge({ app }: Pick<RequestContext, 'app'>, configuration: AutoBackup) {
  const { clock, config } = app;
  const is_overdue = isOverdue(configuration, clock.now(), config.autoBackup.spreadSeconds);
  const hasFailed = configuration.last?.status === 'failed';
  return { configuration, is_overdue, needs_attention: hasFailed || is_overdue };
}
