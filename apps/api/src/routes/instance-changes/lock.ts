import { getOwnServer } from '../../resources/read-instance.ts';
import type { InstanceRequest } from '../instance-actions/act.ts';
import type { LockBody } from './schemas.ts';

export async function lockInstance(request: InstanceRequest<LockBody | undefined>): Promise<void> {
  const { id } = await getOwnServer(request, request.params.instance_id);
  await request.openstack.compute.servers.lock(id, request.body?.reason);
}

export async function unlockInstance(request: InstanceRequest): Promise<void> {
  const { id } = await getOwnServer(request, request.params.instance_id);
  await request.openstack.compute.servers.unlock(id);
}
