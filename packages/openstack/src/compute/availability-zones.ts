import type { ServiceClient } from '../service.ts';

export interface AvailabilityZoneRecord {
  zoneName: string;
  zoneState: { available: boolean };
}

export class AvailabilityZones {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  list(): Promise<AvailabilityZoneRecord[]> {
    return this.#compute.list('availabilityZones.list', '/os-availability-zone', 'availabilityZoneInfo');
  }
}
