import type { LibraryDefinition } from '@gateway/config';
import { invalidInput } from '@gateway/core';
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

/** More would make the sentence unreadable. */
const MAX_NAMED_CONFLICTS = 3;

/** @throws 400 if the prebuilt shares of the libraries contain a package in different versions */
export function requireMatchingPackages(
  libraries: readonly LibraryDefinition[],
  prebuilt: PrebuiltShares,
): void {
  const messages = packageConflicts(libraries, prebuilt).map(({ message }) => message);
  if (messages.length === 0) return;
  const more = messages.length - MAX_NAMED_CONFLICTS;
  const sentences = [
    ...messages.slice(0, MAX_NAMED_CONFLICTS),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'package differs' : 'packages differ'}.`] : []),
    'With the strategy "dynamic" the instance installs matching versions.',
  ];
  throw invalidInput(sentences.join(' '));
}
