import type { Leftover } from '@gateway/jobs';
import { type Removal, type RemovingStep, removeAll } from './remove-all.ts';

/**
 * Removes one group after the other, and the members of a group at the same time. Returns those that remain.
 */
export async function removeGroups(
  step: RemovingStep,
  groups: readonly (readonly Removal[])[],
  timeoutMs: number,
): Promise<Leftover[]> {
  const leftovers: Leftover[] = [];
  for (const group of groups) {
    const results = await Promise.allSettled(group.map((removal) => removeAll(step, [removal], timeoutMs)));
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason;
      leftovers.push(...result.value.leftovers);
    }
  }
  return leftovers;
}

/** Tries each leftover once more. */
export function sweepGroups(
  step: RemovingStep,
  groups: readonly (readonly Removal[])[],
  leftovers: readonly Leftover[],
): Promise<Leftover[]> {
  const isLeft = ({ type, id }: Removal) => leftovers.some((left) => left.type === type && left.id === id);
  const remaining = groups.map((group) => group.filter(isLeft));
  return removeGroups(step, remaining, 0);
}
