import type { BoundClient } from '@gateway/openstack';
import type { OptionalServices, ServiceName } from '@gateway/platform';

/** The settings that switch services off although the catalog may have them. */
const SWITCHES: Partial<Record<ServiceName, keyof OptionalServices>> = {
  container: 'container',
  containerInfra: 'containerInfra',
  sharedFileSystem: 'sharedFs',
};

/** Whether the cloud has the service, and the configuration does not switch it off. */
export async function isOffered(
  openstack: BoundClient,
  enabled: OptionalServices,
  service: ServiceName,
): Promise<boolean> {
  const option = SWITCHES[service];
  return (option === undefined || enabled[option]) && (await openstack.has(service));
}
