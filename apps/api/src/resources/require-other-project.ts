import { conflict } from '@gateway/core';
import type { ProjectRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

/**
 * An administrator who loses the project of their session could not undo it.
 *
 * @param done such as `purged`
 * @throws 409 for the caller's own project
 */
export function requireOtherProject(
  { caller }: Pick<RequestContext, 'caller'>,
  { id }: Pick<ProjectRecord, 'id'>,
  done: string,
): void {
  if (id !== caller.identity.projectId) return;
  throw conflict('protected', `A project cannot be ${done} from within. Choose another project first.`);
}
