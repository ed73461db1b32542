import { toTimestamp } from '@gateway/core';
import { type JobRecord, queueNames, readFailedJobs } from '@gateway/jobs';
import { addNames, allProjectNames, workspaceMessage } from '@gateway/resources';
import type { AppContext } from '../../context.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { Failures } from './shapes.ts';

/** More would not help a reader. */
const MAX_FAILURES = 200;
const DAY_MS = 86_400_000;

/** A job that has failed, or the first boot of an instance. */
type Failure = Failures['items'][number];

type FailedBoot = Awaited<ReturnType<AppContext['firstBoots']['readFailures']>>[number];

/** The jobs and first boots of all projects that have failed within a day, the latest first. */
export async function getFailures(request: RequestContext): Promise<Failures> {
  const { clock, firstBoots, redis } = request.app;
  const since = clock.now() - DAY_MS;
  const found = await Promise.all(
    queueNames.map((queue) => readFailedJobs(redis.store, queue, 0, MAX_FAILURES - 1)),
  );
  const jobs = found
    .flat()
    .filter(({ updatedAt }) => updatedAt > since)
    .map((job) => ({ at: job.updatedAt, failure: presentFailure(job) }));
  const boots = (await firstBoots.readFailures(MAX_FAILURES)).map((boot) => ({
    at: boot.state.at,
    failure: presentFailedBoot(boot),
  }));
  const failures = [...jobs, ...boots].sort((a, b) => b.at - a.at).map(({ failure }) => failure);
  const items = failures.slice(0, MAX_FAILURES);
  return {
    items: await addNames(sourcesOf(request), items, { project_id: allProjectNames }),
    total: failures.length,
  };
}

/** With the message that the users of the job got. The message may contain names that they have chosen. */
function presentFailure({ failure, id, projectId, requestId, step, type, updatedAt }: JobRecord): Failure {
  return {
    id,
    type,
    step,
    project_id: projectId,
    project_name: null,
    reason: failure?.detail ?? 'The job has failed.',
    code: failure?.code ?? null,
    status: failure?.status ?? null,
    service: failure?.upstream?.service ?? null,
    request_id: requestId,
    failed_at: toTimestamp(updatedAt),
  };
}

/** A first boot of an instance, by the id of the job that created the instance. No request has failed. */
function presentFailedBoot({ owner, state }: FailedBoot): Failure {
  return {
    id: owner.jobId,
    type: 'instance first boot',
    step: state.stage,
    project_id: owner.projectId,
    project_name: null,
    reason: workspaceMessage({ ...state, isInTime: true }),
    code: state.stage,
    status: null,
    service: null,
    request_id: null,
    failed_at: toTimestamp(state.at),
  };
}
