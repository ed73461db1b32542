import type { InstanceCreation } from '@gateway/jobs';
import { requestedNotFound } from '@gateway/openstack';
import type { CreationContext } from './creation-context.ts';

/** The availability zone of the volumes; null for the block storage service's default. */
interface PlannedZones {
  volumeZone: string | null;
}

/**
 * Checks the requested availability zone, and decides that of the volumes. The services name their zones
 * independently, and refuse the names that they do not know: many clouds have several zones of hosts, and one
 * of storage with another name. Volumes get the zone of the same name where block storage has one. If only
 * the compute service got the zone, volumes would be far from their hosts in a cloud whose storage has the
 * same zones. `instances.volume_zone` overrides this choice.
 *
 * @throws 400 for a zone that the compute service does not have, or that is not available at the moment
 */
export async function planZones({
  config,
  input,
  owner,
}: CreationContext<Pick<InstanceCreation, 'availabilityZone'>>): Promise<PlannedZones> {
  const { availabilityZone: zone } = input;
  if (zone === null) return { volumeZone: null };
  const { volumeZone } = config.instances;
  const { blockStorage, compute } = owner();
  const [exists, isVolumeZone] = await Promise.all([
    compute.availabilityZones.has(zone),
    volumeZone === 'same' && blockStorage.availabilityZones.has(zone),
  ]);
  if (!exists) throw requestedNotFound('availability_zone', `Availability zone "${zone}"`);
  if (volumeZone === 'same') return { volumeZone: isVolumeZone ? zone : null };
  return { volumeZone: volumeZone === 'none' ? null : volumeZone };
}
