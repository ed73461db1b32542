import { CLOCK_TOLERANCE_MS } from '@gateway/core';
import {
  readLastUse,
  readRestore,
  readStoreHold,
  releaseStoreHold,
  SweepLog,
  sweptJobs,
  writeRestore,
} from '@gateway/jobs';
import { endClusterChanges } from './end-cluster-changes.ts';
import { interruptJobs } from './interrupt-jobs.ts';
import type { RestoreContext } from './restore-context.ts';
import { describeUnreadable } from './unreadable-secrets.ts';

interface RestoreSummary {
  /** Jobs that have ended as interrupted. */
  interrupted: number;
  /** Unfinished jobs of types that only a newer release has. */
  unknown: number;
  /** Ended jobs whose leftovers the gateway does not remove by itself any more. */
  swept: number;
  /** Auto backups, which continue with their next due time. */
  autoBackups: number;
  /** Lite clusters whose creation or deletion was interrupted. */
  clusters: number;
  /** Sentences about secrets that cannot be decrypted. */
  unreadable: string[];
}

type RestoreResult =
  | { kind: 'restored'; summary: RestoreSummary }
  | { kind: 'done before'; completedAt: number }
  /** Nothing has ever used the store: the copy is not in it. */
  | { kind: 'empty' }
  /** The store has been used after the copy, so it is not the copy, or processes run on it. */
  | { kind: 'used'; usedAt: number };

/**
 * Prepares a store that was restored from a copy, before any process uses it, or while processes hold it.
 * Jobs that were unfinished in the copy may have completed since, and users may use what they created, so
 * these jobs end without a rollback, and nothing is removed for ended ones. Due times until now count as
 * handled. A call that was interrupted can be repeated. See decision 125.
 *
 * @param copiedAt in milliseconds since the epoch
 */
export async function restoreStore(context: RestoreContext, copiedAt: number): Promise<RestoreResult> {
  const { config, redis } = context;
  const now = Date.now();
  const earlier = await readRestore(redis.store);
  const isKnown = earlier?.copiedAt === copiedAt;
  if (isKnown && earlier.completedAt !== null) {
    await releaseStoreHold(redis.store);
    return { kind: 'done before', completedAt: earlier.completedAt };
  }
  if (!isKnown) {
    // Processes that hold the store write to it, but not what a copy would lack.
    const hold = await readStoreHold(redis.store);
    const usedAt = hold?.usedAt ?? (await readLastUse(redis.store, config.jobs.lockSeconds * 1000));
    if (usedAt === 0 && (await context.autoBackups.store.allIds()).length === 0) return { kind: 'empty' };
    if (usedAt > copiedAt + CLOCK_TOLERANCE_MS) return { kind: 'used', usedAt };
    await writeRestore(redis.store, { copiedAt, begunAt: now, completedAt: null });
  }
  const autoBackups = await skipMissedRuns(context, now);
  const jobs = await interruptJobs(context);
  const clusters = await endClusterChanges(context, now);
  const swept = await endSweeps(context);
  const unreadable = await describeUnreadable(context);
  // The command of the newer release completes it. Until then its workers must not continue these jobs.
  if (jobs.unknown === 0) {
    await writeRestore(redis.store, { copiedAt, begunAt: now, completedAt: Date.now() });
    await releaseStoreHold(redis.store);
  }
  return { kind: 'restored', summary: { ...jobs, swept, autoBackups, clusters, unreadable } };
}

/** A run of a due time since the copy may have made its backup already. */
async function skipMissedRuns({ autoBackups }: RestoreContext, now: number): Promise<number> {
  const ids = await autoBackups.store.allIds();
  for (const id of ids) await autoBackups.store.markHandled(id, now);
  return ids.length;
}

/**
 * Leaves the leftovers of ended jobs to the administrators. A search for late resources would also find
 * volumes with a copied mark, which users have restored from backups since.
 */
async function endSweeps({ config, redis }: RestoreContext): Promise<number> {
  const { keepSeconds, projectUnsuccessfulLimit: unsuccessfulLimit } = config.jobs;
  const jobIds = await sweptJobs(redis.store);
  for (const jobId of jobIds) {
    await new SweepLog(jobId, { redis: redis.store, keepSeconds, unsuccessfulLimit }).abandon();
  }
  return jobIds.length;
}
