import type { LibraryDefinition } from '@gateway/config';
import { unsupportedLibraries } from './operating-system.ts';
import { type PrebuiltShares, packageConflicts } from './package-conflicts.ts';
import { resolveLibraries } from './resolve-libraries.ts';

export interface LibraryFinding {
  code:
    | 'unknown_library'
    | 'os_version'
    | 'python_version'
    | 'library_version'
    | 'package_version'
    | 'dependency_added'
    | 'not_prebuilt';
  library_ids: string[];
  message: string;
}

export interface LibraryValidation {
  valid: boolean;
  conflicts: LibraryFinding[];
  warnings: LibraryFinding[];
}

/**
 * Checks whether libraries can be used together in one instance. Unknown ids are conflicts, not errors.
 *
 * @param osVersion of the image, such as `ubuntu-22.04`; undefined before an image is chosen
 * @param prebuilt the prebuilt shares, by library id
 */
export function validateLibraries(
  catalogue: readonly LibraryDefinition[],
  ids: readonly string[],
  { osVersion, prebuilt }: { osVersion?: string; prebuilt: PrebuiltShares },
): LibraryValidation {
  const known = ids.filter((id) => catalogue.some((library) => library.id === id));
  const libraries = resolveLibraries(catalogue, known);
  const isPrebuilt = libraries.every(({ id }) => prebuilt.has(id));
  const packageFindings = packageConflicts(libraries, prebuilt).map(({ libraryIds, message }) =>
    finding('package_version', libraryIds, message),
  );
  const conflicts = [
    ...unknownLibraries(ids, known),
    ...osConflicts(libraries, osVersion),
    ...pythonConflicts(libraries),
    ...versionConflicts(libraries),
    ...(isPrebuilt ? packageFindings : []),
  ];
  const warnings = [
    ...libraries
      .filter(({ id }) => !ids.includes(id))
      .map(({ id }) =>
        finding('dependency_added', [id], `${id} is added, because a requested library depends on it.`),
      ),
    ...libraries
      .filter(({ id }) => !prebuilt.has(id))
      .map(({ id }) => finding('not_prebuilt', [id], `${id} has no prebuilt file storage.`)),
    // Without all prebuilt shares the strategy is `dynamic`, which installs compatible versions.
    ...(isPrebuilt ? [] : packageFindings),
  ];
  return { valid: conflicts.length === 0, conflicts, warnings };
}

function unknownLibraries(ids: readonly string[], known: readonly string[]): LibraryFinding[] {
  const unknown = [...new Set(ids.filter((id) => !known.includes(id)))];
  return unknown.map((id) => finding('unknown_library', [id], `There is no library "${id}".`));
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

function finding(code: LibraryFinding['code'], library_ids: string[], message: string): LibraryFinding {
  return { code, library_ids, message };
}
