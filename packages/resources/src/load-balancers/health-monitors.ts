import type { HealthMonitorRecord } from '@gateway/openstack';
import type { HealthMonitor } from './health-monitor-shape.ts';

export function presentHealthMonitor(record: HealthMonitorRecord): HealthMonitor {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    delay: record.delay,
    timeout: record.timeout,
    max_retries: record.max_retries,
    status: record.provisioning_status,
  };
}
