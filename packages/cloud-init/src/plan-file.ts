import type { InterpreterArchive } from '@gateway/platform';
import type { GuestFile } from './guest-file.ts';

/** The folder of the plan and its secrets in the guest. */
export const planDir = '/etc/gateway/first-boot';

export type PlanLine = [name: string, value: string];

/** A name and a value per line. A value ends with its line, so nothing is quoted. Contains no secrets. */
export function planFile(lines: PlanLine[]): GuestFile {
  return {
    path: `${planDir}/plan`,
    permissions: '0644',
    content: lines.map(([name, value]) => `${name} ${singleLine(value)}\n`).join(''),
  };
}

/** The archives of one interpreter, of which the guest selects that of its architecture. */
export function interpreterLines(archives: readonly InterpreterArchive[]): PlanLine[] {
  return archives.map(({ architecture, sha256, url }) => ['interpreter', `${architecture} ${sha256} ${url}`]);
}

/** Package names of apt and dnf. A leading `-` would be an option, and a trailing `-` removes the package. */
const PACKAGE_PATTERN = /^[A-Za-z0-9]([\w.+:~=-]*[\w.+])?$/;

/** Packages of the operating system, one in a line of this name. */
export function packageLines(line: string, packages: readonly string[]): PlanLine[] {
  return packages.map((name) => {
    if (!PACKAGE_PATTERN.test(name))
      throw new Error('A package of the operating system has an invalid name.');
    return [line, name];
  });
}

/** A file that only root can read. */
export function secretFile(name: string, secret: string): GuestFile {
  return { path: `${planDir}/${name}`, permissions: '0600', content: `${singleLine(secret)}\n` };
}

/** The versions that pip may install. Returns no file without constraints. */
export function constraintFiles(constraints: readonly string[]): GuestFile[] {
  if (constraints.length === 0) return [];
  const content = constraints.map((constraint) => `${singleLine(constraint)}\n`).join('');
  return [{ path: `${planDir}/constraints`, permissions: '0644', content }];
}

/** @throws when the value is empty or contains control characters; the message does not contain the value */
export function singleLine(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it detects control characters
  if (value.trim() === '' || /[\u0000-\u001f\u007f]/.test(value)) {
    throw new Error('A value of the first-boot data is empty or contains control characters.');
  }
  return value;
}
