import { conflict } from '@gateway/core';
import { describeContents, type ProjectResourceType, readProjectContents } from '@gateway/resources';
import type { Step } from '../../saga/index.ts';
import type { Removal } from '../resources/remove-all.ts';
import { removeGroups } from '../resources/remove-groups.ts';
import { parking } from '../resources/wait-options.ts';
import { removeResource } from './remove-resource.ts';
import {
  announce,
  definePurgeStep,
  type PurgeProjectContext,
  type PurgeProjectState,
  plannedOf,
} from './saga.ts';

/** How many resources are removed at a time. */
export const AT_A_TIME = 10;

/**
 * Removes the planned resources of a type. What a service refuses, for example because a volume is still
 * being created, is tried again until the time limit of rollbacks. A run after a crash, or after the job was
 * parked, lists the type again and continues with what exists. Other resources of the type stay, and make
 * the check at the end fail.
 */
export function removeType(type: ProjectResourceType): Step<PurgeProjectContext, PurgeProjectState> {
  const name = `${type.toUpperCase() as Uppercase<ProjectResourceType>}S_REMOVING` as const;
  return definePurgeStep<Pick<PurgeProjectState, 'removed'>>({
    name: `remove-${type.replaceAll('_', '-')}`,
    beginUpdate: ({ state }) => announce(name, `Removing ${describeContents(plannedOf(state, type))}.`),
    when: ({ state }) => plannedOf(state, type).length > 0,
    onRepeat: 'idempotent',
    async run(context) {
      const { input, owner, state } = context;
      const found = await readProjectContents(owner(), input.purgedProjectId, [type]);
      const existing = new Set(found.map(({ id }) => id));
      const planned = plannedOf(state, type);
      const left = planned.filter(({ id }) => existing.has(id));
      const factor = Math.ceil(planned.length / AT_A_TIME);
      const step = parking(context);
      const removals = left.map((resource) => ({
        type,
        id: resource.id,
        remove: () => removeResource(step, resource, factor),
      }));
      const { undoSeconds } = context.config.timeLimits;
      const refused = await removeGroups(step, inParts(removals), undoSeconds * 1000 * factor);
      const [first] = refused;
      if (first !== undefined) {
        const remaining = left.filter(({ id }) => refused.some((each) => each.id === id));
        throw conflict('incomplete', `${describeContents(remaining)} could not be removed: ${first.reason}`);
      }
      return { removed: { ...state.removed, [type]: true } };
    },
  });
}

export function inParts(removals: readonly Removal[]): Removal[][] {
  return Array.from({ length: Math.ceil(removals.length / AT_A_TIME) }, (_, index) =>
    removals.slice(index * AT_A_TIME, (index + 1) * AT_A_TIME),
  );
}
