import type { InterpreterArchive, LibraryDefinition } from './config.ts';

type Library = Pick<LibraryDefinition, 'id' | 'dependsOn' | 'pythonVersion' | 'interpreter'>;

/** Problems of the catalogue: duplicate ids, missing dependencies or archives, and cycles. */
export function checkLibraries(
  libraries: readonly Library[],
  interpreters: readonly InterpreterArchive[],
): string[] {
  const byId = new Map(libraries.map((library) => [library.id, library]));
  const problems: string[] = [];

  const ids = libraries.map(({ id }) => id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) {
    problems.push(`"libraries" has the id "${id}" more than once`);
  }
  for (const { id, dependsOn } of libraries) {
    for (const missing of dependsOn.filter((other) => !byId.has(other))) {
      problems.push(`"libraries" has no "${missing}", on which "${id}" depends`);
    }
  }
  for (const { id, pythonVersion } of libraries.filter(({ interpreter }) => interpreter)) {
    if (pythonVersion === null) {
      problems.push(`"libraries" has no python_version for "${id}", which brings an interpreter`);
    } else if (!interpreters.some(({ version }) => version === pythonVersion)) {
      problems.push(`"builds.interpreters" has no archive of Python ${pythonVersion}, which "${id}" brings`);
    }
  }
  const cycle = findCycle(byId);
  if (cycle !== undefined) problems.push(`"libraries" have a dependency cycle: ${cycle.join(' → ')}`);
  return problems;
}

function findCycle(byId: ReadonlyMap<string, Library>): string[] | undefined {
  const acyclic = new Set<string>();

  function visit(id: string, path: string[]): string[] | undefined {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    if (acyclic.has(id)) return undefined;
    for (const next of byId.get(id)?.dependsOn ?? []) {
      const cycle = visit(next, [...path, id]);
      if (cycle !== undefined) return cycle;
    }
    acyclic.add(id);
    return undefined;
  }

  for (const id of byId.keys()) {
    const cycle = visit(id, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
