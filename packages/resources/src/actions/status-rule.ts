import { isBlockStorageInTransition } from '../transitions/states-in-transition.ts';
import type { ActionRule } from './rule.ts';

interface StatusConditions<Subject> {
  endpoint: string;
  refusal: string;
  /** The statuses that allow the action. */
  statuses: readonly string[];
  /** What the subject has to be, as "it has to be available". */
  needs: string;
  /** A further reason against the action, such as "it is attached"; null for none. */
  unless?(subject: Subject): string | null;
}

/** A rule for a resource of the block storage service, by its status. */
export function statusRule<Subject extends { status: string }>({
  endpoint,
  needs,
  refusal,
  statuses,
  unless,
}: StatusConditions<Subject>): ActionRule<Subject> {
  return {
    endpoint,
    refusal,
    isInTransition: isBlockStorageInTransition,
    reasonAgainst(subject) {
      const reason = statuses.includes(subject.status) ? (unless?.(subject) ?? null) : needs;
      return reason === null ? null : ` in its state ${subject.status}: ${reason}`;
    },
  };
}
