import { readdirSync } from 'node:fs';
import type { Kind } from '../kind.ts';

/** All kinds of jobs: the kinds that the files of this folder export. */
export const kinds: readonly Kind[] = (await Promise.all(readdirSync(import.meta.dirname).map(exportsOf)))
  .flat()
  .filter(isKind);

async function exportsOf(file: string): Promise<unknown[]> {
  return file === 'index.ts' ? [] : Object.values(await import(`./${file}`));
}

function isKind(exported: unknown): exported is Kind {
  return typeof exported === 'object' && exported !== null && 'jobType' in exported;
}
