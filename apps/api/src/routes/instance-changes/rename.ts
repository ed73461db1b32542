import { type InstanceDetail, instanceActions } from '@gateway/resources';
import { getOwnServer, readInstanceDetail } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import type { InstanceRequest } from '../instance-actions/act.ts';
import type { UpdateInstanceBody } from './schemas.ts';

/** The guest system keeps its host name. */
export async function updateInstance(request: InstanceRequest<UpdateInstanceBody>): Promise<InstanceDetail> {
  const { body, openstack, params } = request;
  const server = await getOwnServer(request, params.instance_id);
  if (body.name !== undefined && body.name !== server.name) {
    requireAction(request, instanceActions.update, server);
    await openstack.compute.servers.rename(server.id, body.name);
  }
  return readInstanceDetail(request, server.id);
}
