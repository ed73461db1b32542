import type { LibraryDefinition } from './config.ts';

type Library = Pick<LibraryDefinition, 'id' | 'dependsOn'>;

/** Sentences about ids given twice, dependencies that are not there, and cycles; none when the catalogue holds. */
export function checkLibraries(libraries: readonly Library[]): string[] {
  const byId = new Map(libraries.map((library) => [library.id, library]));
  const sentences: string[] = [];

  const ids = libraries.map(({ id }) => id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) {
    sentences.push(`"libraries" has the id "${id}" more than once`);
  }
  for (const { id, dependsOn } of libraries) {
    for (const missing of dependsOn.filter((other) => !byId.has(other))) {
      sentences.push(`"libraries" has no "${missing}", on which "${id}" depends`);
    }
  }
  const cycle = findCycle(byId);
  if (cycle !== undefined)
    sentences.push(`"libraries" depend on one another in a circle: ${cycle.join(' → ')}`);
  return sentences;
}

function findCycle(byId: ReadonlyMap<string, Library>): string[] | undefined {
  const sound = new Set<string>();

  function visit(id: string, path: string[]): string[] | undefined {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    if (sound.has(id)) return undefined;
    for (const next of byId.get(id)?.dependsOn ?? []) {
      const cycle = visit(next, [...path, id]);
      if (cycle !== undefined) return cycle;
    }
    sound.add(id);
    return undefined;
  }

  for (const id of byId.keys()) {
    const cycle = visit(id, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
