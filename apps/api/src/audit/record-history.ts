import type { ActivityReader, EndedRequest, NamedResource } from '@gateway/activity';
import type { HistoryLog } from '@gateway/jobs';

const UNDECIDED_STATUSES = [400, 401, 429];

/** Records the requests of projects in their histories. The last write of a job adds how it has ended. */
export function recordHistory(history: HistoryLog): ActivityReader {
  return {
    problem: 'A request is missing in the history',
    async ended(ended) {
      const projectId = projectOf(ended);
      if (projectId === null || ended.isReplay || isUndecided(ended)) return;
      await history.record(projectId, {
        requestId: ended.requestId,
        userId: ended.userId ?? '',
        userName: ended.userName,
        method: ended.method,
        route: ended.route,
        resourceIds: ended.resources.map(({ id }) => id),
        resourceNames: byId(ended.resources, ({ name }) => name),
        resourceTypes: byId(ended.resources, ({ resource }) => resource),
        status: ended.status,
        code: ended.code,
        jobId: ended.jobId,
      });
    },
  };
}

/**
 * Requests that were neither accepted nor denied: invalid input, ended sessions, too many requests, and those
 * that came during maintenance.
 */
function isUndecided({ code, status }: EndedRequest): boolean {
  return UNDECIDED_STATUSES.includes(status) || code === 'read_only';
}

/** The project in whose history a request is. Null for none. */
function projectOf({ about, access, projectId, targetProjectId }: EndedRequest): string | null {
  if (about === 'unseen') return null;
  // What an administrator does concerns the project that the request names.
  if (access === 'admin') return targetProjectId;
  return access === 'project' ? projectId : null;
}

/** A field of the resources that have it, by their ids. */
function byId<Value>(
  resources: readonly NamedResource[],
  fieldOf: (resource: NamedResource) => Value | null,
): Record<string, Value> {
  return Object.fromEntries(
    resources.flatMap((resource) => {
      const value = fieldOf(resource);
      return value === null ? [] : [[resource.id, value]];
    }),
  );
}
