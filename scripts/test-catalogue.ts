import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@gateway/platform';
import { findProgram } from './debian-package.ts';

/**
 * Asks the package index whether all libraries of the default catalogue can be installed with the default
 * constraints, together and in every combination:
 *   npm run test:catalogue
 * pip reads the metadata of the packages and downloads none of them. Needs Python 3.11.
 */
const ARCHITECTURES = ['x86_64', 'aarch64'];
/** Images have glibc 2.28 or newer. The oldest tags have names of their own. */
const PLATFORMS = [
  ...Array.from({ length: 24 }, (_, index) => `manylinux_2_${28 - index}`),
  ...['manylinux2014', 'manylinux2010', 'manylinux1'],
];

const { libraries, builds } = loadConfig({
  OS_AUTH_URL: 'http://127.0.0.1',
  GATEWAY_SEALING_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
});
const packages = libraries.flatMap((library) => library.packages);
const packageSets = libraries.map((library) => library.packages).filter((set) => set.length > 0);
const combinations = Array.from({ length: 2 ** packageSets.length }, (_, bits) =>
  packageSets.filter((_, index) => bits & (1 << index)).flat(),
);

const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
try {
  writeFileSync(join(folder, 'constraints'), builds.constraints.map((line) => `${line}\n`).join(''));
  const python = newPython();
  for (const architecture of ARCHITECTURES) {
    const report = resolve(python, architecture);
    run(python, [
      fileURLToPath(new URL('test-catalogue.py', import.meta.url)),
      JSON.stringify({ architecture, report, combinations, constraints: builds.constraints }),
    ]);
    const count = `${combinations.length} combinations with ${builds.constraints.length} constraints`;
    console.log(`${architecture}: the index resolves all packages, and the constraints fit ${count}`);
  }
} catch (error) {
  console.error(`NOT PASSED: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** A Python 3.11 with the latest pip: it evaluates markers of packages with its own version. */
function newPython(): string {
  const base = findProgram(['python3.11']);
  if (!base) throw new Error('nothing was checked, because there is no python3.11 here');
  run(base, ['-m', 'venv', join(folder, 'python')]);
  const python = join(folder, 'python/bin/python');
  run(python, ['-m', 'pip', 'install', '--quiet', '--upgrade', 'pip']);
  return python;
}

/** The path of pip's report of an installation of all packages of the catalogue. */
function resolve(python: string, architecture: string): string {
  const report = join(folder, `${architecture}.json`);
  run(python, [
    ...['-m', 'pip', 'install', '--quiet', '--dry-run', '--ignore-installed', '--report', report],
    // Reads the metadata from the index, or else from the end of each package.
    ...['--no-cache-dir', '--use-feature', 'fast-deps', '--only-binary', ':all:'],
    ...['--python-version', '3.11', '--target', join(folder, 'target')],
    ...PLATFORMS.flatMap((platform) => ['--platform', `${platform}_${architecture}`]),
    ...['--constraint', join(folder, 'constraints'), '--', ...packages],
  ]);
  return report;
}

function run(program: string, args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${stdout}${stderr}`.trim());
}
