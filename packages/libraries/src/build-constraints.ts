import { conflict, GatewayError } from '@gateway/core';
import type { Config, LibraryDefinition } from '@gateway/platform';
import { requireCompatibleLibraries } from './library-conflicts.ts';
import { type PrebuiltShares, packageConflicts } from './package-conflicts.ts';
import { normalisedName, pinnedPackages, recordedPackages } from './package-versions.ts';
import { readPrebuiltShares, type ShareReader, type ShareRecord } from './prebuilt-shares.ts';
import { resolveLibraries } from './resolve-libraries.ts';

/**
 * Checks that the library can be built. Returns the pip constraints for its build.
 *
 * @param shares with the rights of the gateway's own user
 * @throws 400 if the library cannot be used together with its dependencies
 * @throws 409 if the library has a prebuilt share, a dependency has none, or the dependencies conflict
 */
export async function requireBuildable(
  shares: ShareReader<ShareRecord>,
  config: Pick<Config, 'libraries' | 'builds'>,
  library: LibraryDefinition,
): Promise<string[]> {
  const prebuilt = await readPrebuiltShares(shares, config.libraries);
  if (prebuilt.has(library.id)) {
    throw conflict(
      'already_done',
      `A prebuilt share of version ${library.version} of ${library.name} already exists.`,
    );
  }
  return buildConstraints(config, library, prebuilt);
}

/**
 * The pip constraints (`numpy==2.2.1`) of a library's build: the packages of the dependencies' prebuilt
 * shares, so that the build installs the same versions, and the configured constraints of other packages.
 *
 * @throws 400 if the library cannot be used together with its dependencies
 * @throws 409 if a dependency has no prebuilt share, or dependencies contain a package in different versions
 */
export function buildConstraints(
  { libraries: catalogue, builds }: Pick<Config, 'libraries' | 'builds'>,
  library: LibraryDefinition,
  prebuilt: PrebuiltShares,
): string[] {
  const dependencies = resolveLibraries(catalogue, library.dependsOn);
  requireCompatibleLibraries([...dependencies, library], {}, 'query.library_id');
  requirePrebuilt(dependencies, library, prebuilt);
  const conflicts = packageConflicts(dependencies, prebuilt);
  if (conflicts.length > 0) {
    throw conflict('unsuitable', `The dependencies of ${library.id} do not match. ${conflicts[0]?.message}`);
  }
  const required = new Map(
    dependencies.flatMap(({ id }) => [...recordedPackages(prebuilt.get(id) ?? { metadata: {} })]),
  );
  return [
    ...pinnedPackages(required),
    ...builds.constraints.filter((constraint) => !required.has(packageNameOf(constraint))),
  ];
}

/** @throws 409 naming the dependencies of the library that have no prebuilt share */
export function requirePrebuilt(
  dependencies: readonly LibraryDefinition[],
  library: LibraryDefinition,
  prebuilt: PrebuiltShares,
): void {
  const missing = dependencies.filter(({ id }) => !prebuilt.has(id)).map(({ id }) => id);
  if (missing.length === 0) return;
  throw new GatewayError(
    409,
    'dependency_not_prebuilt',
    `${library.id} depends on libraries without prebuilt file storage. Please build them first: ${missing.join(', ')}.`,
  );
}

function packageNameOf(constraint: string): string {
  return normalisedName(/^[\w.-]*/.exec(constraint)?.[0] ?? '');
}
