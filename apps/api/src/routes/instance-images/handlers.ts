import { instanceActions } from '@gateway/resources';
import { followResourceJob } from '../../flows/follow-resource-job.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import type { CreateImageBody } from './schemas.ts';

type CreateRequest = RequestContext<{ instance_id: string }, unknown, CreateImageBody>;

/** @throws 404 for an instance of another project, 409 with the state that forbids it */
export function createInstanceImage(request: CreateRequest) {
  const { body, params } = request;
  const wanted = { instanceId: params.instance_id, name: body.name };
  return followResourceJob(request, 'image.create', wanted, {
    resourceName: body.name,
    async check() {
      const server = await getOwnServer(request, params.instance_id);
      requireAction(request, instanceActions.create_image, server);
    },
  });
}
