import type { LayerShare } from '@gateway/cloud-init';
import type { ShareProtocol } from '@gateway/libraries';
import type { BoundClient } from '@gateway/openstack';

export interface MountedShare {
  id: string;
  protocol: ShareProtocol;
  /** As whom the machine mounts it: a client's name or an address. */
  accessTo: string;
}

/** What a machine needs to know to mount a share it is let into. It may hold a key. */
export async function layerShareOf(
  { sharedFileSystem }: BoundClient,
  { id, protocol, accessTo }: MountedShare,
): Promise<LayerShare> {
  const [locations, rules] = await Promise.all([
    sharedFileSystem.exportLocations.list(id),
    sharedFileSystem.accessRules.list(id),
  ]);
  // Those for administrators lie in a network that machines do not reach; the service user may be shown them.
  const reachable = locations.filter(({ is_admin_only }) => is_admin_only !== true);
  const location = reachable.find(({ preferred }) => preferred) ?? reachable[0];
  if (location === undefined) throw new Error(`Share ${id} has no export location.`);
  const mount = { protocol, exportLocation: location.path };
  if (protocol === 'NFS') return { ...mount, accessTo: null, accessKey: null };
  const accessKey = rules.find((rule) => rule.access_to === accessTo)?.access_key ?? null;
  return { ...mount, accessTo, accessKey };
}
