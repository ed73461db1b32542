import { dirname, join } from 'node:path';
import type { Workspace } from './workspaces.ts';

type Graph = Map<string, Set<string>>;

/** Groups of files that import each other in a circle, type imports included; sorted. */
export function fileCycles({ imports }: Workspace): string[][] {
  return cyclesIn(importGraph(imports, (file) => file));
}

/**
 * Cycles among the files and subfolders of each folder. A subfolder imports what any file below it imports.
 */
export function folderCycles({ folder, imports }: Workspace): string[][] {
  const folders = new Set([
    `${folder}/src`,
    ...imports.flatMap(({ file }) => foldersAbove(file, `${folder}/src`)),
  ]);
  return [...folders].flatMap((parent) => cyclesIn(importGraph(imports, (file) => childOf(parent, file))));
}

/** The folders between `source` and the file. */
function foldersAbove(file: string, source: string): string[] {
  const parent = dirname(file);
  return parent === source ? [] : [parent, ...foldersAbove(parent, source)];
}

/** The file or subfolder of `parent` that is or contains the file; null for a file elsewhere. */
function childOf(parent: string, file: string): string | null {
  if (!file.startsWith(`${parent}/`)) return null;
  return file.split('/', parent.split('/').length + 1).join('/');
}

function importGraph(imports: Workspace['imports'], nodeOf: (file: string) => string | null): Graph {
  const graph: Graph = new Map();
  for (const { file, specifier } of imports) {
    if (!specifier.startsWith('.')) continue;
    const from = nodeOf(file);
    const to = nodeOf(join(dirname(file), specifier));
    if (from === null || to === null) continue;
    if (!graph.has(from)) graph.set(from, new Set());
    if (from !== to) graph.get(from)?.add(to);
  }
  return graph;
}

/** Two nodes are in the same cycle when each is reachable from the other. */
function cyclesIn(graph: Graph): string[][] {
  const reachable = new Map([...graph.keys()].map((node) => [node, reachableFrom(graph, node)]));
  const grouped = new Set<string>();
  const cycles: string[][] = [];
  for (const [node, targets] of reachable) {
    if (grouped.has(node) || !targets.has(node)) continue;
    const cycle = [...targets].filter((target) => reachable.get(target)?.has(node));
    for (const member of cycle) grouped.add(member);
    cycles.push(cycle.sort());
  }
  return cycles.sort();
}

function reachableFrom(graph: Graph, start: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const target of graph.get(node) ?? [])
      if (!found.has(target)) {
        found.add(target);
        open.push(target);
      }
  return found;
}
