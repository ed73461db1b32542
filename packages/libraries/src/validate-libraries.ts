import type { LibraryDefinition } from '@gateway/platform';
import { finding, libraryConflicts, packageFindings } from './library-conflicts.ts';
import type { PrebuiltShares } from './package-conflicts.ts';
import { resolveLibraries } from './resolve-libraries.ts';
import type { LibraryFinding, LibraryValidation } from './validation-shape.ts';

/**
 * Checks whether libraries can be used together in one instance. Unknown ids are conflicts, not errors.
 *
 * @param osVersion of the image, such as `ubuntu-22.04`; undefined before an image is chosen
 * @param prebuilt the prebuilt shares, by library id
 */
export function validateLibraries(
  catalogue: readonly LibraryDefinition[],
  ids: readonly string[],
  { osVersion, prebuilt }: { osVersion?: string | undefined; prebuilt: PrebuiltShares },
): LibraryValidation {
  const known = ids.filter((id) => catalogue.some((library) => library.id === id));
  const libraries = resolveLibraries(catalogue, known);
  const missing = libraries.filter(({ id }) => !prebuilt.has(id));
  const conflicts = [
    ...unknownLibraries(ids, known),
    ...libraryConflicts(libraries, { osVersion, prebuilt }),
  ];
  const warnings = [
    ...libraries
      .filter(({ id }) => !ids.includes(id))
      .map(({ id }) =>
        finding('dependency_added', [id], `${id} is added, because a requested library depends on it.`),
      ),
    ...missing.map(({ id }) => finding('not_prebuilt', [id], `${id} has no prebuilt file storage.`)),
    ...(missing.length > 0 ? packageFindings(libraries, prebuilt) : []),
  ];
  return { valid: conflicts.length === 0, conflicts, warnings };
}

function unknownLibraries(ids: readonly string[], known: readonly string[]): LibraryFinding[] {
  const unknown = [...new Set(ids.filter((id) => !known.includes(id)))];
  return unknown.map((id) => finding('unknown_library', [id], `There is no library "${id}".`));
}
