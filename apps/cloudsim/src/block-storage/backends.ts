import { runningProcess } from '../common/service-process.ts';
import { microseconds } from '../common/timestamps.ts';
import { isTrue } from '../http/listing.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import type { BlockStorageCall } from './cloud.ts';

/** What administrators read about the service's own processes and storage pools. */

function listServices(call: BlockStorageCall): Reply {
  requireAdmin(call, 'volume_extension:services:index');
  const updatedAt = microseconds(call.cloud.clock.now());
  const row = (binary: string, host: string) => ({
    ...runningProcess(binary, host, updatedAt),
    disabled_reason: null,
  });
  return ok({
    services: [
      { ...row('cinder-volume', 'storage-1@sparse'), replication_status: 'disabled', frozen: false },
      row('cinder-backup', 'storage-1'),
      row('cinder-scheduler', 'storage-1'),
    ],
  });
}

function listPools(call: BlockStorageCall): Reply {
  requireAdmin(call, 'scheduler_extension:scheduler_stats:get_pools');
  const capabilities = {
    pool_name: 'sparse',
    total_capacity_gb: 51200,
    free_capacity_gb: 51200,
    allocated_capacity_gb: 0,
    volume_backend_name: 'sparse',
    storage_protocol: 'local',
    vendor_name: 'Test cloud',
    driver_version: '1.0.0',
  };
  const name = 'storage-1@sparse#sparse';
  return ok({ pools: [isTrue(call.query.get('detail')) ? { name, capabilities } : { name }] });
}

export const backendOperations = [
  operation('services.list', 'GET /os-services', listServices),
  operation('pools.list', 'GET /scheduler-stats/get_pools', listPools),
];
