import type { LibraryDefinition } from '@gateway/config';
import { unsupportedLibraries } from './operating-system.ts';
import { resolveLibraries } from './resolve.ts';

export interface LibraryFinding {
  code:
    | 'unknown_library'
    | 'os_version'
    | 'python_version'
    | 'library_version'
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
 * Whether libraries can share one instance. Never throws for what a caller asks: unknown ids are conflicts.
 *
 * @param osVersion of the image to be used, as `ubuntu-22.04`; undefined when it is not chosen yet
 * @param prebuilt the libraries that have a prebuilt share, by id
 */
export function validateLibraries(
  catalogue: readonly LibraryDefinition[],
  ids: readonly string[],
  { osVersion, prebuilt }: { osVersion?: string; prebuilt: ReadonlyMap<string, unknown> },
): LibraryValidation {
  const known = ids.filter((id) => catalogue.some((library) => library.id === id));
  const libraries = resolveLibraries(catalogue, known);
  const conflicts = [
    ...unknownLibraries(ids, known),
    ...osConflicts(libraries, osVersion),
    ...pythonConflicts(libraries),
    ...versionConflicts(libraries),
  ];
  const warnings = [
    ...libraries
      .filter(({ id }) => !ids.includes(id))
      .map(({ id }) =>
        finding('dependency_added', [id], `${id} is needed by the libraries asked for, and added.`),
      ),
    ...libraries
      .filter(({ id }) => !prebuilt.has(id))
      .map(({ id }) => finding('not_prebuilt', [id], `${id} has no prebuilt file storage.`)),
  ];
  return { valid: conflicts.length === 0, conflicts, warnings };
}

function unknownLibraries(ids: readonly string[], known: readonly string[]): LibraryFinding[] {
  const unknown = [...new Set(ids.filter((id) => !known.includes(id)))];
  return unknown.map((id) => finding('unknown_library', [id], `There is no library "${id}".`));
}

/** Against the image's version where it is known; else the libraries against each other. */
function osConflicts(libraries: readonly LibraryDefinition[], osVersion?: string): LibraryFinding[] {
  const choosy = libraries.filter(({ osVersions }) => osVersions.length > 0);
  const suits = (version: string) => choosy.every(({ osVersions }) => osVersions.includes(version));
  if (osVersion !== undefined) {
    return unsupportedLibraries(choosy, osVersion).map(({ id, message }) =>
      finding('os_version', [id], message),
    );
  }
  if (choosy.length === 0 || choosy[0]?.osVersions.some(suits)) return [];
  const wants = choosy.map(({ id, osVersions }) => `${id} runs on ${osVersions.join(', ')}`).join('; ');
  return [finding('os_version', idsOf(choosy), `No operating system suits all: ${wants}.`)];
}

function pythonConflicts(libraries: readonly LibraryDefinition[]): LibraryFinding[] {
  const choosy = libraries.filter(({ pythonVersion }) => pythonVersion !== null);
  if (new Set(choosy.map(({ pythonVersion }) => pythonVersion)).size < 2) return [];
  const wants = choosy.map(({ id, pythonVersion }) => `${id} needs ${pythonVersion}`).join('; ');
  return [finding('python_version', idsOf(choosy), `The Python versions differ: ${wants}.`)];
}

/** One library under two ids, in two versions: only one of them would be seen. */
function versionConflicts(libraries: readonly LibraryDefinition[]): LibraryFinding[] {
  return [...Map.groupBy(libraries, ({ name }) => name)]
    .filter(([, group]) => new Set(group.map(({ version }) => version)).size > 1)
    .map(([name, group]) =>
      finding(
        'library_version',
        idsOf(group),
        `${name} is asked for in several versions: ${group.map(({ version }) => version).join(', ')}.`,
      ),
    );
}

function idsOf(libraries: readonly LibraryDefinition[]): string[] {
  return libraries.map(({ id }) => id);
}

function finding(code: LibraryFinding['code'], library_ids: string[], message: string): LibraryFinding {
  return { code, library_ids, message };
}
