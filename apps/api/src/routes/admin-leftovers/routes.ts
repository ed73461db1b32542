import { enumOf, id, type ShapeType, shape } from '@gateway/core/shapes';
import { LEFTOVER_TYPES } from '@gateway/inventory';
import { leftoverList } from '@gateway/resources';
import { leftoversShape } from '@gateway/resources/shapes';
import { removeLeftover } from '../../flows/remove-leftover.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { adminTags } from '../admin-tags.ts';
import {
  type LeftoverParams,
  leftoverParams,
  type RemoveLeftoverBody,
  removeLeftoverBody,
} from './schemas.ts';

const leftoverRemovalShape = shape('LeftoverRemoval', {
  job_id: id('job').describe('The job that removes it.'),
  type: enumOf('LeftoverType', LEFTOVER_TYPES, 'server'),
  id: id('leftover_removal'),
});

/** A removal that a job has begun. */
type StartedRemoval = ShapeType<typeof leftoverRemovalShape>;

type RemovalRequest = RequestContext<LeftoverParams, unknown, RemoveLeftoverBody | undefined>;

async function startRemoval(request: RemovalRequest): Promise<StartedRemoval> {
  const { resource_id: id, type } = request.params;
  await removeLeftover(request, { type, id, force: request.body?.force ?? false });
  return { job_id: request.jobId, type, id };
}

export const adminLeftoverEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/leftovers',
    tag: adminTags.jobs,
    summary: 'What jobs could not remove, and what nothing living has, in all projects',
    description:
      'A resource without the mark of the gateway is listed only if a job could not remove it, and never as removable. ' +
      'What is being created or deleted is not listed.',
    access: 'admin',
    response: leftoversShape,
    ...servesList(leftoverList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/leftovers/:type/:resource_id/remove',
    tag: adminTags.jobs,
    summary: 'Remove a leftover of any project',
    description:
      'Starts a job, which checks the resource again and then removes it. Answers 409 with the code `not_a_leftover` if something ' +
      'living has the resource or it does not bear the mark of the gateway, and `leftover_in_doubt` if `force` is necessary.',
    access: 'admin',
    params: leftoverParams,
    body: removeLeftoverBody,
    status: 202,
    response: leftoverRemovalShape,
    startsJob: 'leftover.remove',
    errors: ['not_a_leftover', 'leftover_in_doubt', 'conflict'],
    handler: startRemoval,
  }),
];
