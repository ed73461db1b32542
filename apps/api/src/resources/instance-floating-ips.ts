import { descriptionsOf } from '@gateway/core';
import { type FloatingIpRecord, nullIfNotFound, type ServerRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

type FloatingIpReader = Pick<RequestContext, 'caller' | 'openstack'>;

/** The project's floating IPs on the ports. */
export async function listFloatingIps(
  { caller, openstack }: FloatingIpReader,
  portIds: readonly string[],
): Promise<FloatingIpRecord[]> {
  if (portIds.length === 0) return [];
  const { projectId } = caller.identity;
  const found = await openstack.network.floatingIps.list({ port_id: portIds, project_id: projectId });
  return found.filter(({ port_id }) => port_id !== null && portIds.includes(port_id));
}

/** Of these floating IPs, those that the gateway has created for the server. */
export async function listOwnFloatingIps(
  request: FloatingIpReader,
  server: ServerRecord,
  portIds: readonly string[],
): Promise<FloatingIpRecord[]> {
  const marks = descriptionsOf(server);
  const floatingIps = await listFloatingIps(request, portIds);
  return floatingIps.filter(({ description }) => description !== null && marks.includes(description));
}

/** Floating IPs that the gateway has created for the server and that have lost their port. */
export async function listStrandedFloatingIps(
  { caller, openstack }: FloatingIpReader,
  server: ServerRecord,
): Promise<FloatingIpRecord[]> {
  const { projectId } = caller.identity;
  const marks = descriptionsOf(server);
  const found = await openstack.network.floatingIps.list({ description: marks, project_id: projectId });
  return found.filter(
    ({ description, port_id }) => port_id === null && description !== null && marks.includes(description),
  );
}

interface Released {
  addresses: string[];
  failures: unknown[];
}

/** Deletes floating IPs, each independently of the others. The audit log names those that stay. */
export async function releaseFloatingIps(
  request: Pick<RequestContext, 'leavesBehind' | 'logger' | 'openstack'>,
  floatingIps: readonly FloatingIpRecord[],
): Promise<Released> {
  const released: Released = { addresses: [], failures: [] };
  await Promise.all(
    floatingIps.map(async ({ id, floating_ip_address }) => {
      try {
        await nullIfNotFound(request.openstack.network.floatingIps.remove(id));
        released.addresses.push(floating_ip_address);
      } catch (error) {
        request.leavesBehind(`floating_ip ${id}`);
        request.logger.warn('A floating IP of an instance could not be deleted', {
          floating_ip_id: id,
          error,
        });
        released.failures.push(error);
      }
    }),
  );
  return released;
}
