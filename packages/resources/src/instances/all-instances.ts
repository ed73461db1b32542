import { toTimestamp } from '@gateway/core';
import type { ServerRecord } from '@gateway/openstack';
import type { AdminInstance } from './admin-instance-shape.ts';

export function presentAdminInstance(server: ServerRecord): AdminInstance {
  const { fault } = server;
  return {
    id: server.id,
    name: server.name,
    status: server.status,
    task_state: server['OS-EXT-STS:task_state'],
    project_id: server.tenant_id,
    project_name: null,
    user_id: server.user_id,
    user_name: null,
    flavor: server.flavor.original_name,
    host: server['OS-EXT-SRV-ATTR:host'] || null,
    created_at: toTimestamp(server.created),
    fault: fault && { code: fault.code, message: fault.message, created: toTimestamp(fault.created) },
  };
}
