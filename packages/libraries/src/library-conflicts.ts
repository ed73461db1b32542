import { invalidInput } from '@gateway/core';
import type { LibraryDefinition } from '@gateway/platform';
import { unsupportedLibraries } from './operating-system.ts';
import { type PrebuiltShares, packageConflicts } from './package-conflicts.ts';
import type { FindingCode, LibraryFinding } from './validation-shape.ts';

/** What libraries are used with. */
interface LibraryUse {
  /** Of the image, such as `ubuntu-22.04`; undefined if it is not known. */
  osVersion?: string | undefined;
  /** The prebuilt shares that the libraries come from, by library id; none for a dynamic installation. */
  prebuilt?: PrebuiltShares;
}

/** Why libraries, which must include their dependencies, cannot be used together in one instance. */
export function libraryConflicts(
  libraries: readonly LibraryDefinition[],
  { osVersion, prebuilt = new Map() }: LibraryUse,
): LibraryFinding[] {
  // Without all prebuilt shares the strategy is `dynamic`, which installs compatible versions.
  const isPrebuilt = libraries.every(({ id }) => prebuilt.has(id));
  return [
    ...osConflicts(libraries, osVersion),
    ...pythonConflicts(libraries),
    ...missingInterpreters(libraries),
    ...versionConflicts(libraries),
    ...(isPrebuilt ? packageFindings(libraries, prebuilt) : []),
  ];
}

/** More would make the sentence unreadable. */
const MAX_NAMED_CONFLICTS = 3;
const MAX_ERRORS = 50;

/**
 * @param field the request field to name in the errors
 * @throws 400 if the libraries, which must include their dependencies, cannot be used together
 */
export function requireCompatibleLibraries(
  libraries: readonly LibraryDefinition[],
  use: LibraryUse,
  field = 'body.libraries',
): void {
  const conflicts = libraryConflicts(libraries, use);
  if (conflicts.length === 0) return;
  const more = conflicts.length - MAX_NAMED_CONFLICTS;
  const sentences = [
    ...conflicts.slice(0, MAX_NAMED_CONFLICTS).map(({ message }) => message),
    ...(more > 0 ? [`There ${more === 1 ? 'is 1 more conflict' : `are ${more} more conflicts`}.`] : []),
    ...(conflicts.some(({ code }) => code === 'package_version')
      ? ['With the strategy "dynamic" the instance installs matching versions.']
      : []),
  ];
  throw invalidInput(sentences.join(' '), {
    errors: conflicts.slice(0, MAX_ERRORS).map(({ message }) => ({ field, message })),
  });
}

export function packageFindings(
  libraries: readonly LibraryDefinition[],
  prebuilt: PrebuiltShares,
): LibraryFinding[] {
  return packageConflicts(libraries, prebuilt).map(({ libraryIds, message }) =>
    finding('package_version', libraryIds, message),
  );
}

/** Compares the libraries with the image's system. If that is unknown, compares them with each other. */
function osConflicts(libraries: readonly LibraryDefinition[], osVersion?: string): LibraryFinding[] {
  const restricted = libraries.filter(({ osVersions }) => osVersions.length > 0);
  const isSupported = (version: string) => restricted.every(({ osVersions }) => osVersions.includes(version));
  if (osVersion !== undefined) {
    return unsupportedLibraries(restricted, osVersion).map(({ id, message }) =>
      finding('os_version', [id], message),
    );
  }
  if (restricted.length === 0 || restricted[0]?.osVersions.some(isSupported)) return [];
  const requirements = restricted
    .map(({ id, osVersions }) => `${id} runs on ${osVersions.join(', ')}`)
    .join('; ');
  return [
    finding('os_version', idsOf(restricted), `No operating system supports all libraries: ${requirements}.`),
  ];
}

function pythonConflicts(libraries: readonly LibraryDefinition[]): LibraryFinding[] {
  const restricted = libraries.filter(({ pythonVersion }) => pythonVersion !== null);
  if (new Set(restricted.map(({ pythonVersion }) => pythonVersion)).size < 2) return [];
  const requirements = restricted
    .map(({ id, pythonVersion }) => `${id} requires ${pythonVersion}`)
    .join('; ');
  return [
    finding(
      'python_version',
      idsOf(restricted),
      `The libraries require different Python versions: ${requirements}.`,
    ),
  ];
}

/**
 * Images contain any version of Python. Packages for one version therefore require an interpreter among the
 * dependencies of their library.
 */
function missingInterpreters(libraries: readonly LibraryDefinition[]): LibraryFinding[] {
  const byId = new Map(libraries.map((library) => [library.id, library]));
  const hasInterpreter = new Set<string>();
  // Dependencies come first.
  for (const { id, interpreter, dependsOn } of byId.values()) {
    if (interpreter || dependsOn.some((dependency) => hasInterpreter.has(dependency))) hasInterpreter.add(id);
  }
  return libraries
    .filter(
      ({ id, packages, pythonVersion }) =>
        packages.length > 0 && pythonVersion !== null && !hasInterpreter.has(id),
    )
    .map(({ id, pythonVersion }) =>
      finding(
        'interpreter',
        [id],
        `${id} requires Python ${pythonVersion}, and no library that it depends on brings this interpreter.`,
      ),
    );
}

/** Two catalogue entries of one library in different versions: the upper layer would hide the lower layer. */
function versionConflicts(libraries: readonly LibraryDefinition[]): LibraryFinding[] {
  return [...Map.groupBy(libraries, ({ name }) => name)]
    .filter(([, group]) => new Set(group.map(({ version }) => version)).size > 1)
    .map(([name, group]) =>
      finding(
        'library_version',
        idsOf(group),
        `${name} is requested in several versions: ${group.map(({ version }) => version).join(', ')}.`,
      ),
    );
}

function idsOf(libraries: readonly LibraryDefinition[]): string[] {
  return libraries.map(({ id }) => id);
}

export function finding(code: FindingCode, library_ids: string[], message: string): LibraryFinding {
  return { code, library_ids, message };
}
