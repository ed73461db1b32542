import { runningProcess } from '../common/service-process.ts';
import { exactMicroseconds } from '../common/timestamps.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import type { SharedFileSystemCall } from './cloud.ts';

/** The processes of the service, for administrators. */
function listServices(call: SharedFileSystemCall): Reply {
  requireAdmin(call, 'service:index');
  const updatedAt = exactMicroseconds(call.cloud.clock.now());
  const row = (id: number, binary: string, host: string) => ({
    id,
    ...runningProcess(binary, host, updatedAt),
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
