import { forbidden } from '../common/service-error.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import type { SharedFileSystemCall } from './cloud.ts';

/** The processes of the service, for administrators. */
function listServices(call: SharedFileSystemCall): Reply {
  if (!call.caller.isAdmin) throw forbidden("Policy doesn't allow service:index to be performed.");
  const row = (id: number, binary: string, host: string) => ({
    id,
    binary,
    host,
    zone: 'nova',
    status: 'enabled',
    state: 'up',
    updated_at: new Date(call.cloud.clock.now()).toISOString().replace('Z', '000'),
  });
  return ok({
    services: [
      row(1, 'manila-scheduler', 'shares-1'),
      row(2, 'manila-data', 'shares-1'),
      row(3, 'manila-share', 'shares-1@testcloud'),
    ],
  });
}

export const serviceOperations = [operation('services.list', 'GET /services', listServices)];
