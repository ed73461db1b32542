import { flag, key, part } from './records/fields.ts';
import { declareRecord, type RecordOf } from './records/record.ts';
import type { ServiceClient } from './service.ts';

const availabilityZoneRecord = declareRecord(['compute', 'blockStorage'], 'availability_zone', {
  zoneName: key(),
  zoneState: part({ available: flag(false) }),
});

type AvailabilityZoneRecord = RecordOf<typeof availabilityZoneRecord>;

/** The zones of one service. Zones of other services may differ, even under the same names. */
export class AvailabilityZones {
  readonly #service: ServiceClient;

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  list(): Promise<AvailabilityZoneRecord[]> {
    return this.#service.list(
      'availabilityZones.list',
      '/os-availability-zone',
      'availabilityZoneInfo',
      availabilityZoneRecord,
    );
  }

  /** Whether the service creates resources in a zone with this name. */
  async has(name: string): Promise<boolean> {
    const zones = await this.list();
    return zones.some(({ zoneName, zoneState }) => zoneName === name && zoneState.available);
  }
}
