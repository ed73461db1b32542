import { forbidden } from '@gateway/core';
import { pauseQueue, resumeQueue } from '@gateway/jobs';
import type { QueueName } from '@gateway/platform';
import { addNames, allProjectNames, withNames } from '@gateway/resources';
import type { Page } from '../../http/schemas/page.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { listEntries, listQueues, readEntry, readQueue, runEntry } from './queues.ts';
import type { ShownEntry, ShownState } from './shapes.ts';

export interface QueueParams {
  queue: QueueName;
}

export interface EntryParams extends QueueParams {
  entry_id: string;
}

export interface EntriesQuery {
  state: ShownState;
  limit: number;
  marker?: number;
}

type QueueRequest = RequestContext<QueueParams>;
type EntryRequest = RequestContext<EntryParams>;

/** Of an entry that is a job. */
const NAMES = { project_id: allProjectNames };

export async function getQueues({ app }: RequestContext) {
  return listQueues(app);
}

export async function pauseOne({ app, params }: QueueRequest) {
  requireChanges(app);
  await pauseQueue(app.queues, params.queue);
  return readQueue(app, params.queue);
}

export async function resumeOne({ app, params }: QueueRequest) {
  requireChanges(app);
  await resumeQueue(app.queues, params.queue);
  return readQueue(app, params.queue);
}

/** The marker is a position: entries move from state to state, so the last one may be gone. */
export async function getEntries(
  request: RequestContext<QueueParams, EntriesQuery>,
): Promise<Page<ShownEntry>> {
  const { app, params, query } = request;
  const { limit, marker: start = 0, state } = query;
  const entries = await listEntries(app, params.queue, { state, start, count: limit + 1 });
  const items = await addNames(sourcesOf(request), entries.slice(0, limit), NAMES);
  const nextMarker = entries.length > limit ? String(start + limit) : null;
  return { items, next_marker: nextMarker, count: items.length };
}

export async function getEntry(request: EntryRequest) {
  const { app, params } = request;
  const entry = await readEntry(app, params.queue, params.entry_id);
  return withNames(sourcesOf(request), entry, NAMES);
}

export async function runOne({ app, params }: EntryRequest): Promise<void> {
  requireChanges(app);
  await runEntry(app, params.queue, params.entry_id);
}

/** What stops or hastens the work of all projects is off unless the operators of the site allow it. */
function requireChanges({ config }: RequestContext['app']): void {
  if (config.ops.allowChanges) return;
  throw forbidden('Queues cannot be changed here. The setting ops.allow_changes allows it.');
}
