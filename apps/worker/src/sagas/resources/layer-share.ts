import type { LayerShare } from '@gateway/cloud-init';
import { upstreamFailed } from '@gateway/core';
import type { ShareProtocol } from '@gateway/libraries';
import type { BoundClient } from '@gateway/openstack';

interface MountedShare {
  id: string;
  protocol: ShareProtocol;
  /** The client name or address that the access rule names. */
  accessTo: string;
}

/** What a machine needs in order to mount a share that grants it access. May contain a key. @throws 502 */
export async function readLayerShare(
  { sharedFileSystem }: BoundClient,
  { id, protocol, accessTo }: MountedShare,
): Promise<LayerShare> {
  const [locations, rules] = await Promise.all([
    sharedFileSystem.exportLocations.list(id),
    sharedFileSystem.accessRules.list(id),
  ]);
  // The service user may also see locations for administrators, which machines cannot reach.
  const reachable = locations.filter(({ is_admin_only }) => !is_admin_only);
  const location = reachable.find(({ preferred }) => preferred) ?? reachable[0];
  if (location === undefined)
    throw upstreamFailed(`The share ${id} has no export location that machines can reach.`);
  const mount = { protocol, exportLocation: location.path };
  if (protocol === 'NFS') return { ...mount, accessTo: null, accessKey: null };
  const accessKey = rules.find((rule) => rule.access_to === accessTo)?.access_key ?? null;
  const { metadata } = await sharedFileSystem.shares.get(id);
  return { ...mount, accessTo, accessKey, fileSystem: fileSystemIn(metadata ?? {}) };
}

/** The service says in the metadata which of several Ceph file systems has the share. */
function fileSystemIn({ __mount_options: options = '' }: Record<string, string>): string | undefined {
  const pairs = options.split(',').map((option) => option.trim().split('='));
  return pairs.find(([name = '']) => name === 'fs' || name === 'mds_namespace')?.[1];
}
