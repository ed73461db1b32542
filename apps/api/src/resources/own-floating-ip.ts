import { notFound } from '@gateway/core';
import type { FloatingIpRecord } from '@gateway/openstack';
import type { ProjectReader } from './own-volume.ts';

/** Administrators' tokens reach the floating IPs of all projects. Throws 404. */
export async function getOwnFloatingIp(
  { caller, openstack }: ProjectReader,
  floatingIpId: string,
): Promise<FloatingIpRecord> {
  const floatingIp = await openstack.network.floatingIps.get(floatingIpId);
  if (floatingIp.project_id !== caller.identity.projectId) {
    throw notFound('There is no such floating IP in this project.');
  }
  return floatingIp;
}
