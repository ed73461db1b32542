import { conflict } from '@gateway/core';
import { CLUSTER_METADATA_KEY } from '@gateway/marks';
import type { ServerRecord } from '@gateway/openstack';
import type { InstanceDetail } from '@gateway/views';
import { getOwnServer, readInstanceDetail } from '../../resources/read-instance.ts';
import type { InstanceRequest } from '../instance-actions/act.ts';
import type { UpdateInstanceBody } from './schemas.ts';

/** The guest system keeps its host name. */
export async function updateInstance(request: InstanceRequest<UpdateInstanceBody>): Promise<InstanceDetail> {
  const { body, openstack, params } = request;
  const server = await getOwnServer(request, params.instance_id);
  if (body.name !== undefined && body.name !== server.name) {
    requireUnsearched(server);
    await openstack.compute.servers.rename(server.id, body.name);
  }
  return readInstanceDetail(request, server.id);
}

/** Jobs find a server that they have just created, and the nodes of a cluster, by name and mark. */
function requireUnsearched(server: ServerRecord): void {
  const refusal = 'The instance cannot be renamed';
  if (server['OS-EXT-STS:vm_state'] === 'building') throw conflict(`${refusal} while it is being created.`);
  if (server.metadata[CLUSTER_METADATA_KEY] === undefined) return;
  throw conflict(`${refusal}: it is a node of a lite cluster, which finds it by its name.`);
}
