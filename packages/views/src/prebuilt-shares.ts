import type { Config, LibraryDefinition } from '@gateway/config';
import { conflict } from '@gateway/core';
import { buildConstraints, findPrebuiltShares, fromServiceProtocol } from '@gateway/libraries';
import type { BoundClient, ShareQuery, ShareRecord } from '@gateway/openstack';

/** The shares of the reader's project, and public shares. */
export const PREBUILT_QUERY = { is_public: true } satisfies ShareQuery;

/**
 * Finds the prebuilt share of each library that has one. Considers only shares of administrators: those of
 * the gateway's own project, and public shares, which only administrators can create. Metadata is no
 * evidence, because users can write any metadata on their own shares.
 *
 * @param service the cloud services, bound to the gateway's own user
 */
export async function readPrebuiltShares(
  service: BoundClient,
  libraries: readonly LibraryDefinition[],
): Promise<Map<string, ShareRecord>> {
  const shares = await service.sharedFileSystem.shares.list(PREBUILT_QUERY);
  const usable = shares.filter(({ share_proto }) => fromServiceProtocol(share_proto) !== null);
  return findPrebuiltShares(usable, libraries);
}

/**
 * Checks that the library can be built. Returns the pip constraints for its build.
 *
 * @throws 400 if the library cannot be used together with its dependencies
 * @throws 409 if the library has a prebuilt share, a dependency has none, or the dependencies conflict
 */
export async function requireBuildable(
  service: BoundClient,
  config: Pick<Config, 'libraries' | 'builds'>,
  library: LibraryDefinition,
): Promise<string[]> {
  const prebuilt = await readPrebuiltShares(service, config.libraries);
  if (prebuilt.has(library.id)) {
    throw conflict(`A prebuilt share of version ${library.version} of ${library.name} already exists.`);
  }
  return buildConstraints(config, library, prebuilt);
}
