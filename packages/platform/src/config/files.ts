import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { ConfigError } from './config-error.ts';

type Tree = Record<string, unknown>;

/** A file with settings, as it is written. */
export interface ConfigFile {
  path: string;
  tree: Tree;
}

/** Hidden names are no settings: a mounted ConfigMap has its data in such folders. */
const SETTINGS_FILE = /^[^.].*\.(?:ya?ml|json)$/;

/**
 * Reads the YAML file that `GATEWAY_CONFIG` names, or, if it names a folder, the files in it by name. An
 * empty file is an empty object. Throws `ConfigError`.
 */
export function readConfigFiles(path: string): ConfigFile[] {
  const names = namesIn(path);
  if (names === null) return [{ path, tree: readTree(path, path) }];
  if (names.length === 0) {
    throw new ConfigError([`the folder named by GATEWAY_CONFIG, ${path}, has no file that ends with .yaml`]);
  }
  return names.map((name) => ({ path: join(path, name), tree: readTree(path, join(path, name)) }));
}

/**
 * One tree of several files. Where two files have keys and values in one place, these are merged. Anything
 * else that a later file sets, such as a list, replaces what an earlier one sets.
 */
export function mergeFiles(files: readonly ConfigFile[]): Tree {
  return files.reduce<Tree>((merged, { tree }) => mergeTrees(merged, tree), {});
}

/** The path of the file that sets a value, or the place nearest to it; undefined if none does. */
export function fileOf(
  place: readonly (string | number)[],
  files: readonly ConfigFile[],
): string | undefined {
  for (let length = place.length; length > 0; length -= 1) {
    const found = files.findLast(({ tree }) => has(tree, place.slice(0, length)));
    if (found !== undefined) return found.path;
  }
  return undefined;
}

function has(tree: unknown, [key, ...further]: readonly (string | number)[]): boolean {
  if (key === undefined) return true;
  return (
    typeof tree === 'object' &&
    tree !== null &&
    Object.hasOwn(tree, key) &&
    has((tree as Record<string | number, unknown>)[key], further)
  );
}

function mergeTrees(earlier: Tree, later: Tree): Tree {
  const merged = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const before = merged[key];
    merged[key] = isTree(before) && isTree(value) ? mergeTrees(before, value) : value;
  }
  return merged;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null if the path is not that of a folder. */
function namesIn(path: string): string[] | null {
  try {
    return readdirSync(path)
      .filter((name) => SETTINGS_FILE.test(name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw unreadable(path, path, error);
  }
}

/** @param named what `GATEWAY_CONFIG` names: the file, or its folder */
function readTree(named: string, path: string): Tree {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(named, path, error);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    const { line, col } = lines.linePos(syntaxError.pos[0]);
    // Only the first line: the parser's message quotes source lines, which may contain secrets.
    const reason = syntaxError.message.split('\n')[0]?.replace(/\.$/, '');
    throw new ConfigError([
      `${described(named, path)} is not valid YAML: ${reason} (line ${line}, column ${col})`,
    ]);
  }
  const tree = toTree(document, described(named, path));
  if (tree === null || tree === undefined) return {};
  if (!isTree(tree)) throw new ConfigError([`${described(named, path)} must contain keys and values`]);
  return tree;
}

/** An alias without its anchor is an error only here, as an unquoted text that begins with `*`. */
function toTree(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new ConfigError([`${file} is not valid YAML: ${(error as Error).message.replace(/\.$/, '')}`]);
  }
}

function unreadable(named: string, path: string, error: unknown): ConfigError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new ConfigError([`${described(named, path)} cannot be read (${code})`]);
}

function described(named: string, path: string): string {
  const what = named === path ? 'the file' : 'a file in the folder';
  return `${what} named by GATEWAY_CONFIG, ${path},`;
}
