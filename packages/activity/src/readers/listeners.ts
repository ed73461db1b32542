import { isWatched, watchedRowsOf } from '@gateway/core';
import type { ChangeLog, ReportedChange } from '@gateway/jobs';
import type { Written } from '../activity.ts';
import type { ActivityReader } from '../activity-readers.ts';

/** Informs the listeners of a project. */
export function listeners(changeLog: Pick<ChangeLog, 'report'>): ActivityReader {
  return {
    problem: 'Listeners do not learn of a change',
    async written(written) {
      const { jobId, projectIds } = written;
      const changes = reportedChanges(written);
      for (const projectId of projectIds) await changeLog.report({ projectId, changes, jobId });
    },
  };
}

/**
 * What listeners learn at once is what a request has created, and what is gone with its response. Of
 * everything else a poll finds out.
 */
export function reportedChanges({ jobId, resources, userId }: Omit<Written, 'projectIds'>): ReportedChange[] {
  return resources.flatMap(({ resource: type, as, id, state }): ReportedChange[] => {
    if (!isWatched(type)) return [];
    const row = { type, userId: watchedRowsOf(type).isPerUser === true ? userId : null };
    const touched: ReportedChange = { kind: 'touched', ...row, id };
    if (id === null || jobId !== null) return [touched];
    if (as === 'deleted') return [{ kind: 'deleted', ...row, id }];
    if (as !== 'created') return [touched];
    const created: ReportedChange = { kind: 'created', ...row, id, state };
    // What has a state changes it soon.
    return state === null ? [created] : [created, { kind: 'touched', ...row }];
  });
}
