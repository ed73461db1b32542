import { CachedList } from '../lists/cached-list.ts';
import { optionalRead } from '../lists/optional-read.ts';
import type { AvailabilityZone } from './availability-zone-shape.ts';

type ZoneRecord = { zoneName: string; zoneState: { available: boolean } };

export function presentAvailabilityZone(
  service: AvailabilityZone['service'],
  { zoneName, zoneState }: ZoneRecord,
): AvailabilityZone {
  return { name: zoneName, service, is_available: zoneState.available };
}

/** Those of the compute service first, alone if block storage is unavailable. */
export const availabilityZoneList = new CachedList<AvailabilityZone[]>({
  name: 'availabilityZones',
  varyBy: 'project',
  dependsOn: [],
  lifetime: 'choicesSeconds',
  async load(sources) {
    const { openstack } = sources;
    const [compute, blockStorage] = await Promise.all([
      openstack.compute.availabilityZones.list(),
      optionalRead(sources, openstack.blockStorage.availabilityZones.list(), []),
    ]);
    return [
      ...compute.map((zone) => presentAvailabilityZone('compute', zone)),
      ...blockStorage.map((zone) => presentAvailabilityZone('block_storage', zone)),
    ];
  },
});
