import { conflict, invalidInput } from '@gateway/core';
import type { Config, LibraryDefinition } from '@gateway/platform';
import { requirePrebuilt } from './build-constraints.ts';
import { libraryConflicts } from './library-conflicts.ts';
import { normalisedName, recordedPackages } from './package-versions.ts';
import { findPrebuiltShares, PREBUILT_QUERY, type ShareReader, type ShareRecord } from './prebuilt-shares.ts';
import { resolveLibraries } from './resolve-libraries.ts';
import { fromServiceProtocol, type ShareProtocol } from './share-protocol.ts';

/** The share of a library, as a layer of a machine. */
export interface LibraryLayer {
  shareId: string;
  libraryId: string;
  protocol: ShareProtocol;
}

/** A package that a library's definition requires. */
export interface ExpectedPackage {
  /** The normalised name. */
  name: string;
  /** The version in the record of the share; null without a record. */
  version: string | null;
}

export interface VerifiableLibrary {
  library: LibraryDefinition;
  /** Those of an instance with the library: its dependencies first. */
  layers: LibraryLayer[];
  packages: ExpectedPackage[];
}

/**
 * The library of a prebuilt share, with what a machine needs to use it as an instance does.
 *
 * @param shares with the rights of the gateway's own user
 * @throws 400 if the share is not that of a library, 409 if instances cannot use it
 */
export async function requireVerifiable(
  shares: ShareReader<ShareRecord>,
  { libraries: catalogue }: Pick<Config, 'libraries'>,
  shareId: string,
): Promise<VerifiableLibrary> {
  const all = (await shares.list(PREBUILT_QUERY)).filter(
    ({ share_proto }) => fromServiceProtocol(share_proto) !== null,
  );
  const share = all.find(({ id }) => id === shareId);
  if (share === undefined || share.metadata?.overlay_type !== 'prebuilt') throw notOfLibrary();
  const library = libraryOf(share, catalogue);
  const dependencies = resolveLibraries(catalogue, library.dependsOn);
  // An older share of the same library can be verified as well.
  const used = new Map([...findPrebuiltShares(all, dependencies), [library.id, share]]);
  requirePrebuilt(dependencies, library, used);
  const [conflicting] = libraryConflicts([...dependencies, library], { prebuilt: used });
  if (conflicting !== undefined) {
    throw conflict('unsuitable', `Instances cannot use ${library.name}: ${conflicting.message}`);
  }
  return {
    library,
    layers: [...dependencies, library].flatMap(({ id }) => layerOf(id, used.get(id))),
    packages: expectedPackages(library, share),
  };
}

/** The 400 for a share that is not the prebuilt share of a library. */
export function notOfLibrary(): Error {
  return invalidInput('The file storage is not the prebuilt file storage of a library.');
}

function libraryOf(share: ShareRecord, catalogue: readonly LibraryDefinition[]): LibraryDefinition {
  const { overlay_library: id, overlay_status: state, overlay_version: version } = share.metadata ?? {};
  const library = catalogue.find((one) => one.id === id);
  if (library === undefined)
    throw conflict('unsuitable', `The catalogue does not contain the library "${id}".`);
  if (library.version !== version) {
    throw conflict(
      'unsuitable',
      `The file storage contains version ${version} of ${library.name}, and the catalogue version ${library.version}.`,
    );
  }
  if (share.status !== 'available' || state !== 'ready') {
    throw conflict(
      'wrong_state',
      `The file storage is not ready: its status is ${share.status}, and that of its build ${state}.`,
    );
  }
  return library;
}

function layerOf(libraryId: string, share: ShareRecord | undefined): LibraryLayer[] {
  const protocol = share === undefined ? null : fromServiceProtocol(share.share_proto);
  return share === undefined || protocol === null ? [] : [{ shareId: share.id, libraryId, protocol }];
}

/** The name at the start of a requirement. */
const REQUIREMENT = /^([A-Za-z0-9][A-Za-z0-9._-]*) *(?:$|[[(@<>=!~;])/;

/**
 * The packages that the definition requires by name. A requirement that is only a URL has no name. One with a
 * marker counts if the build has installed it.
 */
function expectedPackages({ packages }: LibraryDefinition, share: ShareRecord): ExpectedPackage[] {
  const recorded = recordedPackages(share);
  const names = packages.flatMap((requirement) => {
    const found = REQUIREMENT.exec(requirement)?.[1];
    if (found === undefined) return [];
    const name = normalisedName(found);
    return requirement.includes(';') && !recorded.has(name) ? [] : [name];
  });
  return [...new Set(names)].map((name) => ({ name, version: recorded.get(name) ?? null }));
}
