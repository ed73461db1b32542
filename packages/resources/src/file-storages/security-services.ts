import { toTimestamp } from '@gateway/core';
import type { SecurityServiceRecord } from '@gateway/openstack';
import type { SecurityService } from './security-service-shape.ts';

interface User {
  id: string;
  name: string | null;
}

/** @param users the share networks that use it, which only lists of the service name */
export function presentSecurityService(
  service: SecurityServiceRecord,
  users: readonly User[] = service.share_networks.map((id) => ({ id, name: null })),
): SecurityService {
  return {
    id: service.id,
    name: service.name,
    description: service.description,
    type: service.type,
    dns_ip: service.dns_ip,
    server: service.server,
    domain: service.domain,
    ou: service.ou,
    user: service.user,
    share_network_ids: users.map(({ id }) => id),
    share_network_names: users.map(({ name }) => name),
    created_at: toTimestamp(service.created_at),
  };
}
