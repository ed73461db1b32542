import { conflict } from '@gateway/core';
import { nullIfNotFound } from '@gateway/openstack';
import {
  describeContents,
  PROJECT_RESOURCE_TYPES,
  readProjectContents,
  requireNoChildProjects,
} from '@gateway/resources';
import type { Step } from '../../saga/index.ts';
import { parkUntil } from '../resources/wait-options.ts';
import { removeType } from './remove-type.ts';
import { revokeAccess } from './revoke-access.ts';
import { announce, definePurgeStep, type PurgeProjectContext, type PurgeProjectState } from './saga.ts';

/**
 * Stores whether the project is enabled before the job disables it. From then on the service lets nobody
 * create a project below it.
 */
const look = definePurgeStep<Pick<PurgeProjectState, 'wasEnabled'>>({
  name: 'look',
  onRepeat: 'idempotent',
  async run({ input, owner }) {
    const { enabled } = await owner().identity.projects.get(input.purgedProjectId);
    await requireNoChildProjects(owner(), input.purgedProjectId, 'purged');
    return { wasEnabled: enabled };
  },
  /** Members can work on with what the job has not removed. */
  async undo({ input, lateUntil, owner }, { wasEnabled }) {
    if (!wasEnabled) return;
    // A call that disables the project only now would come after this one.
    parkUntil(lateUntil);
    await nullIfNotFound(owner().identity.projects.update(input.purgedProjectId, { enabled: true }));
  },
});

/** Nobody can create resources in a disabled project. */
const disable = definePurgeStep<Record<never, never>>({
  name: 'disable',
  beginUpdate: announce(
    'PROJECT_DISABLING',
    'The project is being disabled, so that nothing is added to it.',
  ),
  onRepeat: 'idempotent',
  async run({ input, owner }) {
    await owner().identity.projects.update(input.purgedProjectId, { enabled: false });
    return {};
  },
});

const plan = definePurgeStep<Pick<PurgeProjectState, 'planned' | 'removed'>>({
  name: 'plan',
  beginUpdate: announce('RESOURCES_LISTING', 'The resources of the project are being listed.'),
  onRepeat: 'idempotent',
  async run({ input, owner }) {
    const planned = await readProjectContents(owner(), input.purgedProjectId, input.types);
    return { planned, removed: {} };
  },
});

/** What was in creation when the job listed the resources stays, and so does the project. */
const check = definePurgeStep<Record<never, never>>({
  name: 'check',
  beginUpdate: announce('EMPTINESS_CHECKING', 'The project is being checked for further resources.'),
  onRepeat: 'idempotent',
  async run({ input, owner }) {
    const left = await readProjectContents(owner(), input.purgedProjectId, input.types);
    if (left.length > 0) throw conflict('incomplete', `The project still owns ${describeContents(left)}.`);
    return {};
  },
});

const remove = definePurgeStep<Pick<PurgeProjectState, 'isGone'>>({
  name: 'remove-project',
  beginUpdate: announce('PROJECT_REMOVING', 'The project itself is being removed.'),
  onRepeat: 'idempotent',
  commits: true,
  async run({ forgetProject, input, owner }) {
    await nullIfNotFound(owner().identity.projects.remove(input.purgedProjectId));
    await forgetProject();
    return { isGone: true };
  },
});

/**
 * Removes a project with everything in it. What is removed cannot be restored: after a failure, the project
 * is as enabled as before and has the rest of its resources.
 */
export const purgeProjectSteps: readonly Step<PurgeProjectContext, PurgeProjectState>[] = [
  look,
  disable,
  plan,
  ...PROJECT_RESOURCE_TYPES.flatMap((type) =>
    type === 'instance' ? [removeType(type), revokeAccess] : [removeType(type)],
  ),
  check,
  remove,
];
