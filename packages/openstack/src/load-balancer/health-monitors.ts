import { Collection } from '../collection.ts';
import { integerOr, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { commonFields, LBAAS } from './record.ts';

const healthMonitorRecord = declareRecord('loadBalancer', 'health_monitor', {
  ...commonFields,
  type: text(),
  /** Seconds between checks. */
  delay: integerOr(0),
  /** Seconds. */
  timeout: integerOr(0),
  max_retries: integerOr(0),
});

export type HealthMonitorRecord = RecordOf<typeof healthMonitorRecord>;

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
    super(service, 'healthmonitors', 'healthmonitor', 'healthMonitors', LBAAS, healthMonitorRecord);
  }
}
