import type { LibraryDefinition } from '@gateway/config';
import { conflict } from '@gateway/core';
import { findPrebuiltShares, fromServiceProtocol } from '@gateway/libraries';
import type { BoundClient, ShareRecord } from '@gateway/openstack';

/**
 * Finds the prebuilt share of each library that has one. Considers only shares that come from an administrator: those
 * of the gateway's own project, and public shares, which only administrators can create. Metadata proves nothing,
 * because users can write any metadata on their own shares.
 *
 * @param service the cloud services, bound to the gateway's own user
 */
export async function readPrebuiltShares(
  service: BoundClient,
  libraries: readonly LibraryDefinition[],
): Promise<Map<string, ShareRecord>> {
  const shares = await service.sharedFileSystem.shares.list({ is_public: true });
  const usable = shares.filter(({ share_proto }) => fromServiceProtocol(share_proto) !== null);
  return findPrebuiltShares(usable, libraries);
}

/** @throws 409 if there is a prebuilt share of the catalogue's version of the library */
export async function requireNotBuilt(service: BoundClient, library: LibraryDefinition): Promise<void> {
  if ((await readPrebuiltShares(service, [library])).size === 0) return;
  throw conflict(`A prebuilt share of version ${library.version} of ${library.name} already exists.`);
}
