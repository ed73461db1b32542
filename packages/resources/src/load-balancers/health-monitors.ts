import type { HealthMonitorRecord } from '@gateway/openstack';

export interface HealthMonitor {
  id: string;
  name: string;
  type: string;
  /** Seconds. */
  delay: number;
  /** Seconds. */
  timeout: number;
  max_retries: number;
  status: string;
}

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
