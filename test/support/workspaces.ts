import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface ImportedModule {
  /** Of the importing file, from the project's root. */
  file: string;
  /** As it stands in the file: `@gateway/core`, `node:fs`, `./x.ts`, `joi`. */
  specifier: string;
}

export interface Workspace {
  /** As `apps/api`, `packages/core`. */
  folder: string;
  /** Without the scope: `api`, `core`. */
  name: string;
  dependencies: string[];
  imports: ImportedModule[];
}

/** Every app and package with what it declares and what it imports. */
export function readWorkspaces(): Workspace[] {
  return globSync('{apps,packages}/*/package.json', { cwd: root }).map((file) => {
    const folder = dirname(file);
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
    return {
      folder,
      name: manifest.name.replace('@gateway/', ''),
      dependencies: Object.keys(manifest.dependencies ?? {}),
      imports: globSync(`${folder}/src/**/*.ts`, { cwd: root }).flatMap(importsOf),
    };
  });
}

const importLines = [
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'/gm,
  /^\s*import\s+'([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
];

function importsOf(file: string): ImportedModule[] {
  const text = readFileSync(join(root, file), 'utf8');
  return importLines.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ file, specifier: match[1] ?? '' })),
  );
}

/** The package that a specifier names: `swagger-ui-express`, `@scope/name`; null for Node's own and for files. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith('node:') || specifier.startsWith('.')) return null;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
