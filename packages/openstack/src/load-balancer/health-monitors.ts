import { Collection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import { LBAAS, type LoadBalancingRecord } from './record.ts';

export interface HealthMonitorRecord extends LoadBalancingRecord {
  type: string;
  /** Seconds between checks. */
  delay: number;
  /** Seconds. */
  timeout: number;
  max_retries: number;
}

interface HealthMonitorCreate {
  pool_id: string;
  type: string;
  delay: number;
  timeout: number;
  max_retries: number;
  name?: string;
}

type HealthMonitorUpdate = Partial<Omit<HealthMonitorCreate, 'pool_id' | 'type'>>;

export class HealthMonitors extends Collection<
  HealthMonitorRecord,
  HealthMonitorCreate,
  HealthMonitorUpdate,
  never
> {
  constructor(service: ServiceClient) {
    super(service, 'healthmonitors', 'healthmonitor', 'healthMonitors', LBAAS);
  }
}
