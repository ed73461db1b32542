import { conflict } from '@gateway/core';
import { purgeProgress } from '@gateway/jobs';
import { isTransient } from '@gateway/openstack';
import { ParkedError, type Step } from '@gateway/saga';
import {
  describeContents,
  type ProjectResource,
  type ProjectResourceType,
  readProjectContents,
} from '@gateway/views';
import { parking } from '../resources/wait-options.ts';
import { removeResource } from './remove-resource.ts';
import {
  definePurgeStep,
  type PurgeProjectContext,
  type PurgeProjectState,
  type PurgeStepContext,
  plannedOf,
} from './saga.ts';

/** How many resources are removed at a time. */
const AT_A_TIME = 10;

/**
 * Removes the planned resources of a type. A run after a crash, or after the job was parked, lists the type
 * again and continues with what exists. Other resources of the type stay, and make the check at the end fail.
 */
export function removeType(type: ProjectResourceType): Step<PurgeProjectContext, PurgeProjectState> {
  const step = `${type.toUpperCase() as Uppercase<ProjectResourceType>}S_REMOVING` as const;
  return definePurgeStep<Pick<PurgeProjectState, 'removed'>>({
    name: `remove-${type.replaceAll('_', '-')}`,
    beginUpdate: ({ state }) => ({
      step,
      progress: purgeProgress[step],
      message: `Removing ${describeContents(plannedOf(state, type))}.`,
    }),
    when: ({ state }) => plannedOf(state, type).length > 0,
    onRepeat: 'idempotent',
    async run(context) {
      const { input, owner, state } = context;
      const found = await readProjectContents(owner(), input.purgedProjectId, [type]);
      const existing = new Set(found.map(({ id }) => id));
      const planned = plannedOf(state, type);
      const left = planned.filter(({ id }) => existing.has(id));
      const factor = Math.ceil(planned.length / AT_A_TIME);
      for (let start = 0; start < left.length; start += AT_A_TIME) {
        await removeAll(context, left.slice(start, start + AT_A_TIME), factor);
      }
      return { removed: { ...state.removed, [type]: true } };
    },
  });
}

/** A refusal may be due to another resource of the part, so it counts only once nothing is in progress. */
async function removeAll(
  context: PurgeStepContext,
  part: readonly ProjectResource[],
  factor: number,
): Promise<void> {
  const results = await Promise.allSettled(
    part.map((resource) => removeResource(parking(context), resource, factor)),
  );
  const errors = results.flatMap(({ status, ...result }) =>
    status === 'rejected' && 'reason' in result ? [result.reason as unknown] : [],
  );
  const first = errors.find(isPassing) ?? errors[0];
  if (first === undefined) return;
  context.signal.throwIfAborted();
  if (isPassing(first)) throw first;
  const detail = first instanceof Error ? first.message : String(first);
  const refused = part.filter((_, index) => results[index]?.status === 'rejected');
  throw conflict(`${describeContents(refused)} could not be removed: ${detail}`, { cause: first });
}

function isPassing(error: unknown): boolean {
  return error instanceof ParkedError || isTransient(error);
}
