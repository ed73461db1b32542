import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

interface ImportedModule {
  /** The importing file, relative to the project root. */
  file: string;
  /** As written in the file: `@gateway/core`, `node:fs`, `./x.ts`, `joi`. */
  specifier: string;
}

export interface Workspace {
  /** The folder, such as `apps/api`. */
  folder: string;
  /** The name without the scope, such as `api`. */
  name: string;
  dependencies: string[];
  imports: ImportedModule[];
}

/** All apps and packages, with their declared dependencies and their imports. */
export function readWorkspaces(): Workspace[] {
  return globSync('{apps,packages}/*/package.json', { cwd: root }).map((file) => {
    const folder = dirname(file);
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
    return {
      folder,
      name: manifest.name.replace('@gateway/', ''),
      dependencies:
        manifest.bin === undefined ? Object.keys(manifest.dependencies ?? {}) : bundledBy(folder, manifest),
      imports: globSync(`${folder}/src/**/*.ts`, { cwd: root }).flatMap(importsOf),
    };
  });
}

/** The libraries that the package of a program contains: those that no script needs to build it. */
function bundledBy(folder: string, { devDependencies = {} }: { devDependencies?: object }): string[] {
  const scripts = globSync(`${folder}/scripts/**/*.ts`, { cwd: root }).flatMap(importsOf);
  const tools = scripts.map(({ specifier }) => packageOf(specifier));
  return Object.keys(devDependencies).filter((name) => !name.startsWith('@types/') && !tools.includes(name));
}

const importLines = [
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'/gm,
  /^\s*import\s+'([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
  // A file of a package that a browser loads.
  /\bimport\.meta\.resolve\('([^']+)'\)/g,
];

function importsOf(file: string): ImportedModule[] {
  const text = readFileSync(join(root, file), 'utf8');
  return importLines.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ file, specifier: match[1] ?? '' })),
  );
}

/** The package of a specifier, such as `@scope/name`; null for Node modules and for files. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith('node:') || specifier.startsWith('.')) return null;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
