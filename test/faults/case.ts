import { newRequestId } from '@gateway/core';
import type { Matcher } from '../support/clients/cloudsim-control.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import type { Case } from './cases.ts';
import { type End, NotReachedError } from './fault.ts';
import { hasEndedBefore, judge } from './judge.ts';
import type { Rig, StartedJob } from './rig.ts';
import type { Verdict } from './verdict.ts';

const END_MS = 150_000;

/** The case has no job: its preparation or its request failed, which proves nothing about the fault. */
export class PreparationError extends Error {
  constructor(cause: unknown) {
    super(`The preparation failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.name = 'PreparationError';
  }
}

/**
 * Runs one job with one fault, and judges the result by the records of the cloud.
 * @throws {PreparationError} when the job could not be prepared or started
 */
export async function runCase(rig: Rig, { kind, place, fault }: Case): Promise<Verdict> {
  const started = performance.now();
  rig.useUser(kind.user ?? 'demo');
  const subject = await kind.prepare(rig).catch((error) => {
    throw new PreparationError(error);
  });
  const before = await rig.inventory();
  const requestId = (await kind.requestIdOf?.(rig, subject)) ?? newRequestId();
  const { service, operation, nth } = place;
  const match: Matcher = { service, operation, requestId, nth };
  const site = { rig, kind, place, match };

  const strike = await fault.arm(site);
  const job = await kind.start(rig, subject, requestId).catch((error) => {
    throw new PreparationError(error);
  });
  let watcher = new JobWatcher();
  const watching = watch(rig, job, watcher);
  const flaws: string[] = [];
  const isReached = await strike({ ...job, ended: watching, flaws }).then(
    () => true,
    (error) => {
      if (error instanceof NotReachedError) return false;
      throw error;
    },
  );
  let hasEnded = await watching;
  if (fault.isSetBack && isReached) {
    watcher = new JobWatcher();
    hasEnded = await watch(rig, { ...job, stream: null }, watcher);
  }
  const verdict = await judge(rig, { kind, before, subject, requestId, job, watcher, hasEnded });
  const hasResult = verdict.end === 'completed' || hasEndedBefore(watcher);
  const isUnknown = kind.losesRecord === true && hasEndedBefore(watcher);
  if (!isUnknown) verdict.leaked.push(...((await kind.inspect?.(rig, subject, hasResult)) ?? []));
  if (fault.isSetBack && !hasResult) verdict.lost.push(`rolled back: ${watcher.last?.error ?? ''}`);
  verdict.lost.push(...flaws);
  // Nothing remains of it: sweeps have removed it. What a job makes for its own use only is made again when
  // it runs again; the inventory shows whether it is there twice.
  if (fault.repeatsCall || (fault.isAfterEnd && place.isTemporary) || fault.isSetBack)
    verdict.duplicated = [];
  if (isReached && verdict.end !== 'lost' && !fault.allows(site).includes(verdict.end as End)) {
    verdict.lost.push(`${verdict.end}: ${watcher.last?.error ?? ''}`);
  }
  if (!isReached) {
    verdict.end = 'not reached';
    verdict.lost.push('the fault was not reached');
  }
  const left = await rig.restore();
  if (left.length > 0) verdict.leaked.push(`after cleanup: ${left.join(', ')}`);
  const isContaminated = left.length > 0 || !hasEnded;
  return { ...verdict, isContaminated, durationMs: performance.now() - started };
}

function watch(rig: Rig, { jobId, stream }: StartedJob, watcher: JobWatcher): Promise<boolean> {
  return watcher.followToEnd(stream, (lastEventId) => rig.gateway().followJob(jobId, lastEventId), END_MS);
}
