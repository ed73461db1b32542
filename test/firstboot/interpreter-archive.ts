import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A CPython of this machine that was installed from its source into a folder of its own. */
export interface InterpreterSource {
  prefix: string;
  /** Such as `3.11`. */
  version: string;
  /** Such as `3.11.7`. */
  release: string;
}

const VERSION = '3.11';

/** Not needed to install and run packages. */
const OMITTED = [
  '__pycache__',
  'test',
  'config-*',
  'idlelib',
  'tkinter',
  'turtledemo',
  'lib2to3',
  'ensurepip',
];

/** @throws if this machine has no CPython of the version that was installed from its source */
export function interpreterSource(): InterpreterSource {
  const program = 'import platform, sys; print(sys.base_prefix, platform.python_version())';
  const output = execFileSync(`python${VERSION}`, ['-c', program], { encoding: 'utf8' });
  const [prefix = '', release = ''] = output.trim().split(' ');
  // The distribution's own interpreter finds its packages elsewhere and cannot be moved.
  if (prefix === '/usr')
    throw new Error(`python${VERSION} must be installed from its source, as pyenv does.`);
  return { prefix, version: VERSION, release };
}

/**
 * Writes an archive with the layout of the default archives of `builds.interpreters`, and pip as the only
 * package. Its libraries of the system are those that the image of the machines has.
 *
 * @returns its checksum
 */
export function writeInterpreterArchive(path: string, { prefix, version }: InterpreterSource): string {
  const folder = mkdtempSync(join(tmpdir(), 'interpreter-'));
  const python = join(folder, 'python');
  const modules = `lib/python${version}`;
  mkdirSync(python);
  const pip = readdirSync(join(prefix, modules, 'site-packages')).filter((name) => /^pip(-.*)?$/.test(name));
  const libraries = readdirSync(join(prefix, 'lib')).filter((name) => name.startsWith('libpython'));
  const copied = [
    ...readdirSync(join(prefix, 'bin'))
      .filter((name) => /^python3?(\.\d+)?$/.test(name))
      .map((name) => `bin/${name}`),
    ...libraries.map((name) => `lib/${name}`),
    ...readdirSync(join(prefix, modules))
      .filter((name) => name !== 'site-packages')
      .map((name) => `${modules}/${name}`),
    ...pip.map((name) => `${modules}/site-packages/${name}`),
  ];
  const omitted = OMITTED.flatMap((name) => ['--exclude', `${modules}/${name}`, '--exclude', name]);
  const copy = execFileSync('tar', ['--create', '--directory', prefix, ...omitted, ...copied], {
    maxBuffer: 1_000_000_000,
  });
  execFileSync('tar', ['--extract', '--directory', python], { input: copy });
  for (const name of [`bin/python${version}`, ...libraries.map((name) => `lib/${name}`)]) {
    searchNextToItself(join(python, name), join(prefix, 'lib'));
  }
  execFileSync('tar', ['--create', '--gzip', '--file', path, '--directory', folder, 'python']);
  rmSync(folder, { recursive: true });
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Replaces the folder in which a program searches for its library by a relative one. */
function searchNextToItself(file: string, libraryFolder: string): void {
  const content = readFileSync(file);
  const old = Buffer.from(`${libraryFolder}\0`);
  const at = content.indexOf(old);
  if (at === -1) return;
  content.fill(0, at, at + old.length);
  content.write('$ORIGIN/../lib', at, 'latin1');
  writeFileSync(file, content);
}
