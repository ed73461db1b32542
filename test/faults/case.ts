import { newRequestId } from '@gateway/core';
import type { CallMatch, Inventory } from '../support/cloudsim-control.ts';
import { JobWatcher } from '../support/job-watcher.ts';
import { type Bench, neverEnded, type StartedJob } from './bench.ts';
import type { Case } from './cases.ts';
import { type End, NotReachedError } from './fault.ts';
import { createsOf, type Kind } from './kind.ts';

/** What became of a job under a fault. Each list is empty when all is well. */
export interface Verdict {
  end: End | 'lost' | 'not reached';
  /** It never ended, or not as it had to. */
  lost: string[];
  /** What is there too much or too little. */
  leaked: string[];
  /** Creating calls that took effect more often than asked for. */
  duplicated: string[];
  /** Events that were missing, came twice or after the last one. */
  streamGaps: string[];
  /** Creating calls that took effect, of those that were made. */
  creates: string;
  durationMs: number;
  /** The system is not as it was before: what comes next would be judged by what this has left. */
  isSpoilt: boolean;
}

const END_MS = 90_000;

/** One job, one fault, and a judgement by what the cloud itself has recorded. */
export async function runCase(bench: Bench, { kind, place, fault }: Case): Promise<Verdict> {
  const started = performance.now();
  const subject = await kind.prepare(bench);
  const before = await bench.control.inventory();
  const requestId = newRequestId();
  const { service, operation, nth } = place;
  const match: CallMatch = { service, operation, requestId, nth };
  const site = { bench, kind, place, match };

  const strike = await fault.arm(site);
  const job = await kind.start(bench, subject, requestId);
  const watcher = new JobWatcher();
  const watching = watch(bench, job, watcher);
  const isReached = await strike({ ...job, ended: watching }).then(
    () => true,
    (error) => {
      if (error instanceof NotReachedError) return false;
      throw error;
    },
  );
  const hasEnded = await watching;
  const verdict = await judge(bench, { kind, before, requestId, job, watcher, hasEnded });
  if (isReached && verdict.end !== 'lost' && !fault.allows(site).includes(verdict.end as End)) {
    verdict.lost.push(`${verdict.end}: ${watcher.last?.error ?? ''}`);
  }
  if (!isReached) {
    verdict.end = 'not reached';
    verdict.lost.push('the fault could not strike');
  }
  const left = await bench.restore();
  if (left.length > 0) verdict.leaked.push(`after all was removed: ${left.join(', ')}`);
  const isSpoilt = left.length > 0 || !hasEnded;
  return { ...verdict, isSpoilt, durationMs: performance.now() - started };
}

function watch(bench: Bench, { jobId, stream }: StartedJob, watcher: JobWatcher): Promise<boolean> {
  return watcher.takeAll(stream, (lastEventId) => bench.gateway().followJob(jobId, lastEventId), END_MS);
}

interface Evidence {
  kind: Kind;
  before: Inventory;
  requestId: string;
  job: StartedJob;
  watcher: JobWatcher;
  hasEnded: boolean;
}

async function judge(bench: Bench, evidence: Evidence): Promise<Verdict> {
  const { kind, before, requestId, job, watcher, hasEnded } = evidence;
  const verdict: Verdict = {
    end: 'lost',
    lost: [],
    leaked: [],
    duplicated: [],
    streamGaps: [],
    creates: '',
    durationMs: 0,
    isSpoilt: false,
  };
  if (!hasEnded) {
    verdict.lost.push(neverEnded(bench, job.jobId, watcher.last?.step ?? 'nothing'));
    return verdict;
  }
  const record = await bench.readJob(job.jobId);
  verdict.end = record.status;
  verdict.leaked.push(...record.leftovers.map(({ type, id }) => `left over: ${type} ${id}`));
  const expected = record.status === 'completed' ? kind.completed : {};
  verdict.leaked.push(...(await bench.differencesTo(before, expected)));

  const made = (await bench.control.calls(requestId)).filter(({ performed }) => performed);
  const creates = [...createsOf(kind)].map(([operation, allowed]) => {
    const count = made.filter((call) => call.operation === operation).length;
    if (count < allowed && record.status === 'completed') {
      verdict.lost.push(`${operation} took effect ${count} times only`);
    }
    if (count > allowed) verdict.duplicated.push(`${operation} ${count} times`);
    return count;
  });
  verdict.creates = creates.join(' ');

  verdict.streamGaps.push(...watcher.faults);
  const again = new JobWatcher();
  await again.take(await bench.gateway().followJob(job.jobId));
  if (JSON.stringify(again.messages) !== JSON.stringify(watcher.messages)) {
    verdict.streamGaps.push(`${watcher.messages.length} events seen, ${again.messages.length} recorded`);
  }
  const twice = watcher.repeatedSteps();
  if (twice.length > 0) verdict.streamGaps.push(`told twice: ${twice.join(', ')}`);
  return verdict;
}

export function isFlawless({ lost, leaked, duplicated, streamGaps }: Verdict): boolean {
  return [lost, leaked, duplicated, streamGaps].every((found) => found.length === 0);
}
