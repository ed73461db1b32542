import type { LibraryDefinition } from '@gateway/config';
import { invalidInput } from '@gateway/core';

/**
 * The libraries asked for and all they depend on, each once: a library stands after everything it depends
 * on, and otherwise where it was first asked for.
 *
 * @param field what the error names, where ids are unknown
 * @throws 400 naming every id that the catalogue does not have
 */
export function resolveLibraries(
  catalogue: readonly LibraryDefinition[],
  ids: readonly string[],
  field = 'body.libraries',
): LibraryDefinition[] {
  const byId = new Map(catalogue.map((library) => [library.id, library]));
  const unknown = [...new Set(ids.filter((id) => !byId.has(id)))];
  if (unknown.length > 0) {
    throw invalidInput(`Unknown ${unknown.length === 1 ? 'library' : 'libraries'}: ${unknown.join(', ')}.`, {
      errors: unknown.map((id) => ({ field, message: `There is no library "${id}".` })),
    });
  }

  const resolved = new Map<string, LibraryDefinition>();
  const entered = new Set<string>();
  function add(id: string, wantedBy: string | null): void {
    // A second visit is a duplicate, or a cycle in the catalogue: either way it has its place already.
    if (entered.has(id)) return;
    entered.add(id);
    const library = byId.get(id);
    if (library === undefined)
      throw new Error(`Library ${wantedBy} depends on ${id}, which is not configured.`);
    for (const dependency of library.dependsOn) add(dependency, id);
    resolved.set(id, library);
  }
  for (const id of ids) add(id, null);
  return [...resolved.values()];
}
