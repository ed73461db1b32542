import { invalidInput } from '@gateway/core';
import type { LibraryDefinition } from '@gateway/platform';

/**
 * The requested libraries and all their dependencies, each once. A library comes after its dependencies;
 * otherwise the order of the request is kept.
 *
 * @param field the request field to name in the error for unknown ids
 * @throws 400 naming every unknown id
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
  function add(id: string, dependent: string | null): void {
    // Already visited: a duplicate, or a cycle in the catalogue.
    if (entered.has(id)) return;
    entered.add(id);
    const library = byId.get(id);
    if (library === undefined)
      throw new Error(`Library ${dependent} depends on ${id}, which is not configured.`);
    for (const dependency of library.dependsOn) add(dependency, id);
    resolved.set(id, library);
  }
  for (const id of ids) add(id, null);
  return [...resolved.values()];
}
