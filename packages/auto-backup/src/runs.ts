import { derivedId, GatewayError } from '@gateway/core';
import {
  type JobOwner,
  type JobPayload,
  type JobRecord,
  type Producer,
  type Queues,
  readAllLeftovers,
  readExclusiveJob,
  readQueued,
  requestCancel,
  resumeJob,
} from '@gateway/jobs';
import { type Redis, readClockOffset } from '@gateway/store';
import type { AutoBackup } from './auto-backup.ts';
import type { DueEntries } from './due-entries.ts';
import { isDueTime } from './schedule.ts';
import { beginOf, latestBegun } from './spread.ts';
import type { AutoBackupStore } from './store.ts';

interface RunParts {
  redis: Redis;
  queues: Queues;
}

interface StartParts<C extends JobOwner> extends RunParts {
  store: AutoBackupStore;
  producer: Producer<C>;
  settings: {
    /** How long after its due time a run begins at most. */
    spreadSeconds: number;
    /** Maximum runs at once; 0 for no limit. */
    runningLimit: number;
  };
}

/** `waits`: as many runs are in progress as may be. */
type StartOutcome = 'started' | 'skipped' | 'waits' | 'not due' | 'no configuration';

const SKIPPED = 'The previous run was still going.';

/** A process whose clock is ahead of the store's by more than this leaves runs to others. */
const MAX_AHEAD_SECONDS = 24 * 3600;

/** The id of the job for a due time. All processes derive the same id, so a due time has one job. */
export function runIdOf(configurationId: string, due: number): string {
  return derivedId('auto-backup', configurationId, due);
}

/**
 * Starts the run of a configuration that is due, unless it was started before. Of several due times that were
 * missed, only the last one runs. While the previous run is in progress, the run is skipped. See decision 48.
 *
 * @param entryDue the due time of the queue entry that reports it, in milliseconds since the epoch; its
 * worker's clock may be ahead of this one
 */
export async function startDueRun<C extends JobOwner>(
  parts: StartParts<C>,
  configurationId: string,
  entryDue?: number,
): Promise<StartOutcome> {
  const outcome = await start(parts, configurationId, entryDue);
  if (outcome === 'not due' || outcome === 'no configuration') await parts.store.stopWaiting(configurationId);
  return outcome;
}

async function start<C extends JobOwner>(
  parts: StartParts<C>,
  configurationId: string,
  entryDue: number | undefined,
): Promise<StartOutcome> {
  const { settings, store } = parts;
  const configuration = await store.read(configurationId);
  if (configuration === null) return 'no configuration';
  if (!configuration.enabled) return 'not due';
  const due = dueTimeOf(configuration, entryDue, settings.spreadSeconds);
  if (due <= configuration.handledUntil) return 'not due';
  // All due times until then would count as handled, also once the clock is right.
  if ((await readClockOffset(parts.redis, Date.now)) > MAX_AHEAD_SECONDS) return 'not due';
  if (!(await store.takePlace(configurationId, settings.runningLimit))) return 'waits';
  const jobId = runIdOf(configurationId, due);
  if (!(await enqueue(parts, configuration, due, jobId))) {
    const skipped = { status: 'skipped', error: SKIPPED, at: Date.now() } as const;
    return (await store.markHandled(configurationId, due, skipped)) ? 'skipped' : 'no configuration';
  }
  if (await store.markHandled(configurationId, due)) return 'started';
  // The configuration was removed meanwhile, possibly before its remover could see the job.
  await cancelRun(parts, configurationId);
  return 'no configuration';
}

/**
 * When the run of the due time that a queue entry reports begins, in milliseconds since the epoch; null if
 * the configuration is gone or has another schedule by now.
 */
export async function beginOfEntry<C extends JobOwner>(
  { settings, store }: Pick<StartParts<C>, 'settings' | 'store'>,
  configurationId: string,
  entryDue: number,
): Promise<number | null> {
  // Without a spread, the clock of the worker that received the entry counts.
  if (settings.spreadSeconds === 0) return null;
  const configuration = await store.read(configurationId);
  if (configuration === null || !isDueTime(configuration.schedule, entryDue)) return null;
  return beginOf(configuration, entryDue, settings.spreadSeconds);
}

/**
 * Starts a run now, whatever the schedule says, also of a configuration that is paused.
 *
 * @throws 409 while another run is in progress
 */
export async function startRunNow<C extends JobOwner>(
  { producer }: Pick<StartParts<C>, 'producer'>,
  { id, volumeId }: AutoBackup,
  { jobId, owner, requestId }: { jobId: string; owner: JobOwner; requestId: string },
): Promise<void> {
  await producer.enqueueWithoutCredential(
    {
      type: 'volume.auto-backup',
      payload: { configurationId: id, volumeId, due: Date.now() },
      requestId,
      jobId,
      exclusive: { subject: subjectOf(id), refusal: 'A run of the auto backup is in progress.' },
    },
    owner,
  );
}

/** The job that runs the configuration now, waiting or running; null without one. */
export function runInProgress({ redis }: RunParts, configurationId: string): Promise<JobRecord | null> {
  return readExclusiveJob(redis, subjectOf(configurationId));
}

/** Whether a run works with the delegation of the configuration: it is in progress, or has left something. */
export async function needsDelegation(parts: RunParts, configurationId: string): Promise<boolean> {
  if ((await runInProgress(parts, configurationId)) !== null) return true;
  const { redis } = parts;
  const left = (await readAllLeftovers(redis)).filter(({ jobType }) => jobType === 'volume.auto-backup');
  for (const jobId of new Set(left.map(({ jobId: id }) => id))) {
    const queued = await readQueued(redis, jobId);
    const payload = queued?.payload as JobPayload<'volume.auto-backup'> | undefined;
    if (payload?.configurationId === configurationId) return true;
  }
  return false;
}

/** Requests the cancellation of the run in progress. A run that already deletes older backups completes. */
export async function cancelRun(parts: RunParts, configurationId: string): Promise<void> {
  const { redis, queues } = parts;
  const job = await runInProgress(parts, configurationId);
  if (job !== null && (await requestCancel(redis, job.id))) {
    await resumeJob(redis, queues, job);
  }
}

/** Ends the runs of a configuration that was removed: none begins any more. Cancels the one in progress. */
export async function endRuns(
  parts: RunParts & { entries: DueEntries },
  configurationId: string,
): Promise<void> {
  await parts.entries.update(configurationId);
  await cancelRun(parts, configurationId);
}

function dueTimeOf(configuration: AutoBackup, entryDue: number | undefined, spreadSeconds: number): number {
  const latest = latestBegun(configuration, Date.now(), spreadSeconds);
  const isOwn = entryDue !== undefined && isDueTime(configuration.schedule, entryDue);
  return isOwn ? Math.max(entryDue, latest) : latest;
}

/** Returns false when another run is in progress. */
async function enqueue<C extends JobOwner>(
  { producer }: StartParts<C>,
  { id, projectId, userId, volumeId }: AutoBackup,
  due: number,
  jobId: string,
): Promise<boolean> {
  try {
    await producer.enqueueWithoutCredential(
      {
        type: 'volume.auto-backup',
        payload: { configurationId: id, volumeId, due },
        // No request started the run, so the job's id identifies its calls and log lines.
        requestId: `req-${jobId}`,
        jobId,
        exclusive: { subject: subjectOf(id), refusal: SKIPPED },
      },
      { projectId, userId },
    );
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.status === 409) return false;
    throw error;
  }
}

const SUBJECT = 'auto-backup:';

function subjectOf(configurationId: string): string {
  return `${SUBJECT}${configurationId}`;
}

/** The id of the configuration whose runs have this subject. */
export function configurationOfSubject(subject: string | null): string | null {
  return subject?.startsWith(SUBJECT) === true ? subject.slice(SUBJECT.length) : null;
}
