import type { EndedJob } from '@gateway/activity';
import { configurationOfSubject } from '@gateway/auto-backup';
import { NewerFormError, type ResourceName } from '@gateway/core';
import {
  type OutboxEntry,
  type OutboxRow,
  parseOutboxEntry,
  readOutbox,
  removeFromOutbox,
} from '@gateway/jobs';
import { type JobWebhookEvent, jobEvents, type WebhookEvent } from '@gateway/webhooks';
import type { WorkerContext } from '../context.ts';

const ENTRIES_AT_ONCE = 100;
/** So many entries are handled before the first delivery. */
const MAX_ENTRIES = 2000;

/**
 * Stores what has happened to jobs for webhooks and the audit stream. An entry goes once its events are
 * stored, so a worker that dies between the two repeats the first. An entry of a newer release is left to
 * its workers.
 */
export async function storeJobEvents(worker: WorkerContext): Promise<void> {
  const { metrics, redis, stopping, storeAuditedEnd, webhooks } = worker;
  let after: string | null = null;
  for (let handled = 0; handled < MAX_ENTRIES && !stopping.signal.aborted; ) {
    const rows: OutboxRow[] = await readOutbox(redis.store, ENTRIES_AT_ONCE, after);
    const done: string[] = [];
    for (const row of rows) {
      const read = readEntry(worker, row);
      if (read === 'newer') continue;
      if (read?.entry.event === 'ended') await storeAuditedEnd(endOf(read.entry));
      const events = read === null ? [] : await eventsOf(worker, read);
      for (const event of events) {
        const lost = await webhooks.storeEvent(event);
        if (lost > 0) metrics.webhookDelivered('failed', lost);
      }
      done.push(row.position);
    }
    await removeFromOutbox(redis.store, done);
    if (rows.length < ENTRIES_AT_ONCE) return;
    handled += done.length;
    after = rows.at(-1)?.position ?? null;
  }
}

/** An entry, and the events that follow from it for webhooks. */
interface ReadEntry {
  entry: OutboxEntry;
  events: JobWebhookEvent[];
}

/** Null for an entry that nobody can read. */
function readEntry(
  { logger, metrics }: WorkerContext,
  { position, text }: OutboxRow,
): ReadEntry | 'newer' | null {
  try {
    const entry = parseOutboxEntry(text);
    return { entry, events: jobEvents(entry) };
  } catch (error) {
    if (error instanceof NewerFormError) return 'newer';
    logger.error('Webhooks do not learn of the end of a job: its entry is unreadable', { position, error });
    metrics.webhookDelivered('failed', 1);
    return null;
  }
}

function endOf(entry: OutboxEntry): EndedJob {
  const { failure, jobId, projectId, requestId, resourceId, resourceName, status, type, userId } = entry;
  const resource = entry.resourceType as ResourceName | null;
  return {
    kind: 'job',
    ...{ jobId, type, status, requestId, userId, userName: entry.userName, projectId },
    resources: resourceId === null ? [] : [{ resource, id: resourceId, name: resourceName }],
    code: failure?.code ?? null,
    endedAt: entry.updatedAt,
  };
}

/** Adds what the entry does not say. */
async function eventsOf(worker: WorkerContext, { entry, events }: ReadEntry): Promise<WebhookEvent[]> {
  const [ended] = events;
  if (entry.type !== 'volume.auto-backup' || ended === undefined || ended.type === 'job.held') return events;
  if (ended.type !== 'job.failed' && entry.problem === null) return events;
  const error = entry.failure?.detail ?? entry.problem;
  const id = configurationOfSubject(entry.subject);
  const volumeId = id === null ? null : await volumeOf(worker, id);
  const data = { ...ended.data, error, auto_backup_id: id, volume_id: volumeId };
  return [...events, { ...ended, id: `${entry.jobId}_auto_backup`, type: 'auto_backup.failed', data }];
}

/** Null if nobody knows any more. */
async function volumeOf({ autoBackups, logger }: WorkerContext, id: string): Promise<string | null> {
  try {
    return (await autoBackups.store.read(id))?.volumeId ?? null;
  } catch (error) {
    logger.warn('A webhook does not learn the volume of an auto backup', { configuration_id: id, error });
    return null;
  }
}
