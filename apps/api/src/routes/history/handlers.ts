import { requireRight } from '@gateway/context';
import { invalidInput, toTimestamp } from '@gateway/core';
import {
  type HistoryEntry,
  type HistoryOutcome,
  historyJobId,
  historyOutcome,
  historyResources,
} from '@gateway/jobs';
import { type PageQuery, presentPage } from '../../http/schemas/page.ts';
import { documentedPath } from '../../pipeline/endpoint.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { resourceNames } from './resource-names.ts';
import type { PresentedEntry } from './shapes.ts';

export interface HistoryQuery extends PageQuery {
  resource_id?: string;
  job_id?: string;
  user_id?: string;
  outcome?: HistoryOutcome;
  project_id?: string;
}

export async function getHistory(received: RequestContext<unknown, HistoryQuery>) {
  const { app, caller, query } = received;
  const { resource_id: resourceId, job_id: jobId, user_id: userId, project_id, ...rest } = query;
  const own = caller.identity.projectId;
  const projectId = project_id ?? own;
  if (projectId !== own) requireRight(caller, 'administer');
  const readerId = caller.can.includes('administer') ? undefined : caller.identity.userId;
  const page = await app.history.read({ ...rest, projectId, readerId, resourceId, jobId, userId });
  if (page === null) {
    throw invalidInput('The marker is not the id of an entry of the history.', {
      errors: [{ field: 'query.marker', message: 'must be the id of an entry of the history' }],
    });
  }
  const names = await resourceNames(received, { projectId, readerId }, page.entries);
  return presentPage(
    page.entries.map((entry) => presentEntry(entry, names)),
    page.hasMore,
  );
}

function presentEntry(entry: HistoryEntry, names: ReadonlyMap<string, string>): PresentedEntry {
  const { id, at, request, job } = entry;
  const by = request ?? job;
  const resourceIds = historyResources(entry);
  return {
    id,
    timestamp: toTimestamp(at),
    user_id: by?.userId ?? '',
    user_name: by?.userName ?? null,
    method: request?.method ?? null,
    route: request === null ? null : documentedPath(request.route),
    status: request?.status ?? null,
    outcome: historyOutcome(entry),
    code: job?.failure?.code ?? request?.code ?? null,
    error: job?.failure?.detail ?? null,
    resource_type: job?.resourceType ?? null,
    resource_name: job?.resourceName ?? null,
    resource_ids: resourceIds,
    resource_names: resourceIds.map((of) => names.get(of) ?? null),
    job_id: historyJobId(entry),
    job_type: job?.type ?? null,
    ended_at: toTimestamp(job?.endedAt),
    request_id: by?.requestId ?? '',
  };
}
