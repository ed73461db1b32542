import { hasEnded, isKnownJobType, type JobRecord, jobTypes } from '@gateway/jobs';
import type { ActionRule } from '@gateway/resources';

const PATH = '/api/admin/jobs/{job_id}';

function jobRule(
  action: string,
  participle: string,
  reasonAgainst: (job: JobRecord) => string | null,
): ActionRule<JobRecord> {
  return {
    endpoint: `POST ${PATH}/${action}`,
    refusal: `The job cannot be ${participle}`,
    reasonAgainst(job) {
      if (hasEnded(job)) return ': it has ended';
      if (!isKnownJobType(job.type)) return ': only a newer version of the gateway knows its type';
      return reasonAgainst(job);
    },
  };
}

/** What administrators may do to jobs of all projects, in the order in which rows name it. */
export const jobActions = {
  hold: jobRule('hold', 'held', ({ hold }) => (hold === null ? null : ': it is held already')),
  release: jobRule('release', 'released', ({ hold }) => (hold === null ? ': it is not held' : null)),
  cancel: jobRule('cancel', 'cancelled', ({ isCommitting, status, type }) => {
    const traits = isKnownJobType(type) ? jobTypes[type] : null;
    if (traits?.refusesCancellation) return ': jobs of its type never are';
    if (status === 'running' && !traits?.isCancellableWhileRunning) return ': it has begun';
    return isCommitting ? ': it can no longer be undone' : null;
  }),
};
