import { toTimestamp } from '@gateway/core';
import type { ServerRecord } from '@gateway/openstack';

/** An instance of any project. */
export interface AdminInstance {
  id: string;
  name: string;
  status: string;
  /** The compute service's current task for the server; null for none. */
  task_state: string | null;
  project_id: string;
  project_name: string | null;
  user_id: string;
  user_name: string | null;
  /** The flavor's name. */
  flavor: string;
  /** Null before the server is placed. */
  host: string | null;
  created_at: string | null;
  fault: { code: number; message: string; created: string | null } | null;
}

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
