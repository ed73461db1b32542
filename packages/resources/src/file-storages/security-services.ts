import { toTimestamp } from '@gateway/core';
import type { SecurityServiceRecord } from '@gateway/openstack';
import type { SecurityService } from './security-service-shape.ts';

/** The names of its share networks are added afterwards. Only lists of the service name their ids. */
export function presentSecurityService(service: SecurityServiceRecord): SecurityService {
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
    share_network_ids: service.share_networks,
    share_network_names: service.share_networks.map(() => null),
    created_at: toTimestamp(service.created_at),
  };
}
