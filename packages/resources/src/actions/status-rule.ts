import { isBlockStorageInTransition } from '../transitions/states-in-transition.ts';
import type { ActionRule } from './rule.ts';

interface StatusConditions<Subject> {
  endpoint: string;
  refusal: string;
  /** The statuses that allow the action. */
  statuses: readonly string[];
  /** What the subject has to be, as "it has to be available". */
  needs: string;
  /** What helps after a deletion that has failed, if the owner can do it. */
  afterFailedDeletion?: string;
  /** What uses the subject, such as "it is attached"; null for nothing. */
  usedBy?(subject: Subject): string | null;
}

/** A rule for a resource of the block storage service, by its status. */
export function statusRule<Subject extends { status: string }>({
  endpoint,
  needs,
  afterFailedDeletion = needs,
  refusal,
  statuses,
  usedBy,
}: StatusConditions<Subject>): ActionRule<Subject> {
  return {
    endpoint,
    refusal,
    isInTransition: isBlockStorageInTransition,
    reasonAgainst(subject) {
      const inState = (words: string) => ` in its state ${subject.status}: ${words}`;
      if (subject.status === 'in-use' && !statuses.includes('in-use')) return ['in_use', inState(needs)];
      if (!statuses.includes(subject.status))
        return inState(subject.status === 'error_deleting' ? afterFailedDeletion : needs);
      const use = usedBy?.(subject) ?? null;
      return use === null ? null : ['in_use', inState(use)];
    },
  };
}
