import { instanceActions } from '@gateway/resources';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import type { InstanceRequest } from '../instance-actions/act.ts';
import type { LockBody } from './schemas.ts';

export async function lockInstance(request: InstanceRequest<LockBody | undefined>): Promise<void> {
  const server = await getOwnServer(request, request.params.instance_id);
  requireAction(request, instanceActions.lock, server);
  await request.openstack.compute.servers.lock(server.id, request.body?.reason);
}

export async function unlockInstance(request: InstanceRequest): Promise<void> {
  const server = await getOwnServer(request, request.params.instance_id);
  requireAction(request, instanceActions.unlock, server);
  await request.openstack.compute.servers.unlock(server.id);
}
