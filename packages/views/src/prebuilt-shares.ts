import type { LibraryDefinition } from '@gateway/config';
import { conflict } from '@gateway/core';
import { findPrebuiltShares, fromServiceProtocol } from '@gateway/libraries';
import type { BoundClient, ShareRecord } from '@gateway/openstack';

/**
 * The prebuilt share of each library that has one. Only those shares are looked at which may be believed to be an
 * administrator's: those of the gateway's own project, and public ones, which only administrators can make. Metadata
 * alone would prove nothing, since anybody can write it on a share of his own.
 *
 * @param service the cloud as the gateway's own user sees it
 */
export async function readPrebuiltShares(
  service: BoundClient,
  libraries: readonly LibraryDefinition[],
): Promise<Map<string, ShareRecord>> {
  const shares = await service.sharedFileSystem.shares.list({ is_public: true });
  const usable = shares.filter(({ share_proto }) => fromServiceProtocol(share_proto) !== null);
  return findPrebuiltShares(usable, libraries);
}

/** @throws 409 when the version of the library that is in the catalogue has a prebuilt share */
export async function refuseBuilt(service: BoundClient, library: LibraryDefinition): Promise<void> {
  if ((await readPrebuiltShares(service, [library])).size === 0) return;
  throw conflict(`There is a prebuilt share of version ${library.version} of ${library.name} already.`);
}
