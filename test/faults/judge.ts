import type { Inventory } from '../support/clients/cloudsim-control.ts';
import type { InstanceMessage } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { createsOf, type Kind } from './kind.ts';
import { describeUnfinishedJob, type Rig, type StartedJob } from './rig.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** A job after its end or timeout, and the state of the cloud before the job. */
interface Evidence {
  kind: Kind;
  before: Inventory;
  subject: string;
  requestId: string;
  job: StartedJob;
  watcher: JobWatcher;
  hasEnded: boolean;
}

/** Judges a job by the recorded calls of the cloud and the events that the client received. */
export async function judge(rig: Rig, evidence: Evidence): Promise<Verdict> {
  const { kind, before, subject, requestId, job, watcher, hasEnded } = evidence;
  const verdict = verdictOf('lost');
  if (!hasEnded) {
    verdict.lost.push(describeUnfinishedJob(rig, job.jobId, watcher.last?.step ?? 'nothing'));
    return verdict;
  }
  const record = await rig.readJob(job.jobId);
  verdict.end = record.status;
  verdict.leaked.push(...record.leftovers.map(({ type, id }) => `left over: ${type} ${id}`));
  const hasResult = record.status === 'completed' || hasEndedBefore(watcher);
  const { completed, whenFailed = async () => ({}) } = kind;
  const expected = hasResult ? completed : await whenFailed(rig, subject);
  if (expected !== null) verdict.leaked.push(...(await rig.differencesFrom(before, expected)));

  const made = (await rig.control.calls(requestId)).filter(({ performed }) => performed);
  const creates = [...createsOf(kind)].map(([operation, allowed]) => {
    const count = made.filter((call) => call.operation === operation).length;
    if (count < allowed && record.status === 'completed') {
      verdict.lost.push(`${operation} took effect ${count} times only`);
    }
    if (count > allowed) verdict.duplicated.push(`${operation} ${count} times`);
    return count;
  });
  verdict.creates = creates.join(' ');

  verdict.streamGaps.push(...watcher.problems);
  const again = new JobWatcher();
  await again.readEvents(await rig.gateway().followJob(job.jobId));
  verdict.streamGaps.push(...eventDifferences(watcher.messages, again.messages));
  const twice = watcher.repeatedSteps();
  if (twice.length > 0) verdict.streamGaps.push(`repeated: ${twice.join(', ')}`);
  return verdict;
}

/** Whether the job says that its result is from before the store was set back. */
export function hasEndedBefore({ last }: JobWatcher): boolean {
  return last?.code === 'interrupted_by_restore';
}

/** Differences between the events that a client received and the job's log. */
export function eventDifferences(
  seen: readonly InstanceMessage[],
  recorded: readonly InstanceMessage[],
): string[] {
  const count = Math.max(seen.length, recorded.length);
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const [was, is] = [seen[index], recorded[index]].map((message) => JSON.stringify(message) ?? 'nothing');
    return was === is ? [] : [`event ${index + 1} was seen as ${was} and stands as ${is}`];
  });
}
