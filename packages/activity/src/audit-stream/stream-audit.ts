import { type Clock, newId } from '@gateway/core';
import type { EndedJob, EndedRequest } from '../activity.ts';
import type { ActivityReader } from '../activity-readers.ts';
import type { AuditOutbox } from './audit-outbox.ts';
import { cadfEventOf } from './cadf-event.ts';

const UNDECIDED_STATUSES = [400, 429];

interface AuditStreamOptions {
  outbox: AuditOutbox;
  gateway: string;
  region: string;
}

/**
 * Adds writes to the audit stream. That of a request is stored before its response, so that whoever has been
 * answered is in the stream, even if the process dies then.
 */
export function streamAudit(options: AuditStreamOptions & { clock: Clock }): ActivityReader {
  const { clock, outbox, ...observer } = options;
  return {
    problem: 'An audit event could not be added to the stream',
    answering(request) {
      const { nameHash, status, userId } = request;
      // Who has no valid token and no log-in is unknown, and changes nothing.
      if (userId === null && nameHash === null) return;
      if (isUndecided(request)) return;
      const event = cadfEventOf(request, { id: newId(), time: clock.now(), ...observer });
      return outbox.add(event, { isRefusal: status >= 400 });
    },
  };
}

/**
 * Stores the end of a job. One that is reported again has the same id.
 *
 * @throws while the store is unavailable
 */
export function streamEnd(job: EndedJob, { outbox, ...observer }: AuditStreamOptions): Promise<void> {
  return outbox.store(cadfEventOf(job, { id: job.jobId, time: job.endedAt, ...observer }));
}

/**
 * Invalid input and requests beyond a rate limit decide nothing, as in the histories. Those for a session
 * stay: they show that somebody guesses.
 */
function isUndecided({ about, status }: EndedRequest): boolean {
  return about !== 'session' && UNDECIDED_STATUSES.includes(status);
}
