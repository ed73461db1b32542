import type { LibraryDefinition } from '@gateway/platform';
import { recordedPackages } from './package-versions.ts';
import type { ShareRecord } from './prebuilt-shares.ts';

/** The prebuilt shares of libraries, by library id. */
export type PrebuiltShares = ReadonlyMap<string, Pick<ShareRecord, 'metadata'>>;

/** A package that prebuilt libraries contain in different versions. */
interface PackageConflict {
  packageName: string;
  libraryIds: string[];
  /** A sentence for users. */
  message: string;
}

/** Compares the recorded packages of the libraries that have a prebuilt share. */
export function packageConflicts(
  libraries: readonly LibraryDefinition[],
  prebuilt: PrebuiltShares,
): PackageConflict[] {
  const installed = libraries.flatMap(({ id }) => {
    const share = prebuilt.get(id);
    return share === undefined
      ? []
      : [...recordedPackages(share)].map(([name, version]) => ({ id, name, version }));
  });
  return [...Map.groupBy(installed, ({ name }) => name)].flatMap(([packageName, uses]) => {
    const byVersion = [...Map.groupBy(uses, ({ version }) => version)];
    if (byVersion.length < 2) return [];
    const versions = byVersion.map(
      ([version, group]) => `${version} in ${group.map(({ id }) => id).join(', ')}`,
    );
    const message = `The prebuilt libraries contain ${packageName} in different versions: ${versions.join('; ')}.`;
    return [{ packageName, libraryIds: uses.map(({ id }) => id), message }];
  });
}
