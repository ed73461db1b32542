import { toTimestamp } from '@gateway/core';
import type { JobRecord } from '@gateway/jobs';
import { type Actor, addNames, allowedActions, allProjectNames } from '@gateway/resources';
import { actorOf } from '../../auth/caller.ts';
import { presentJobs } from '../../http/response/present-jobs.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { jobActions } from '../../resources/job-actions.ts';
import type { AdminJob } from './shapes.ts';

export async function presentAdminJobs(request: RequestContext, jobs: JobRecord[]): Promise<AdminJob[]> {
  const presented = await presentJobs(request.app, jobs);
  const actor = actorOf(request.caller);
  const rows = presented.map((job, index) => ({ ...job, ...administered(jobs[index] as JobRecord, actor) }));
  return addNames(sourcesOf(request), rows, { project_id: allProjectNames });
}

function administered(job: JobRecord, actor: Actor) {
  return {
    project_id: job.projectId,
    project_name: null as string | null,
    request_id: job.requestId,
    code: job.failure?.code ?? null,
    runs: job.runs,
    lost_runs: job.lostRuns,
    faults: job.faults,
    cancel_requested: job.cancelRequested,
    hold_reason: job.hold?.reason ?? null,
    held_at: toTimestamp(job.hold?.at ?? null),
    allowed_actions: allowedActions(jobActions, job, actor),
  };
}
