import type { RowInTransition } from '@gateway/cache';
import { toTimestamp } from '@gateway/core';

/** The part of a row that says that it is in transition. Symbols are not serialized. */
const IN_TRANSITION = Symbol('inTransition');

type Transition = Omit<RowInTransition, 'id'>;

interface TransitionMark {
  [IN_TRANSITION]?: Transition;
}

type Time = string | null | undefined;

/** States that a resource has from its creation on. */
const FIRST_STATE = /^(?:build|creat|pending_create|queued)/i;

/**
 * Marks a row whose state is expected to end by itself. Add it to the row of each resource that has such
 * states: its list is then read more often, for as long as such a change may take.
 *
 * @param changedAt when the service says that the state has changed last, in any of its forms; absent if it
 * does not say that
 * @param createdAt counts for a row that is being created and has not changed since
 */
export function markTransition(
  isInTransition: boolean,
  state: string,
  { changedAt, createdAt }: { changedAt?: Time; createdAt?: Time },
): TransitionMark {
  if (!isInTransition) return {};
  const time = toTimestamp(changedAt) ?? (FIRST_STATE.test(state) ? toTimestamp(createdAt) : null);
  return { [IN_TRANSITION]: { state, changedAt: time === null ? null : Date.parse(time) } };
}

/** The rows with such a mark, which rows from the cache do not have. */
export function rowsInTransition(rows: readonly object[], idField = 'id'): RowInTransition[] {
  return rows.flatMap((row) => {
    const transition = (row as TransitionMark)[IN_TRANSITION];
    if (transition === undefined) return [];
    return { id: String((row as Record<string, unknown>)[idField]), ...transition };
  });
}
