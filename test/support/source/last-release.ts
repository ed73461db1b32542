import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './workspaces.ts';

/** The files of a release, ready to run. */
export interface Release {
  folder: string;
  remove(): void;
}

/**
 * The newest tag that this commit comes from, or what `BASE_RELEASE` names. Null before the first release.
 * @throws if a shallow clone lacks it
 */
export function lastRelease(): string | null {
  const named = process.env.BASE_RELEASE ?? '';
  if (named !== '') {
    if (!succeeds('cat-file', '-e', `${named}^{commit}`)) {
      throw new Error(`This clone lacks ${named}. Fetch it: git fetch --tags --unshallow`);
    }
    return named;
  }
  const [newest = ''] = git('tag', '--merged', 'HEAD', '--sort=-version:refname', 'v*').split('\n');
  if (newest === '' && hasRelease() && git('rev-parse', '--is-shallow-repository') === 'true') {
    throw new Error('This clone is shallow and has no tags. Fetch them: git fetch --tags --unshallow');
  }
  return newest || null;
}

/** Whether the packages of a release name this type of job. */
export function hasJobType(release: string, type: string): boolean {
  return succeeds('grep', '--quiet', '--fixed-strings', `'${type}'`, release, '--', 'packages');
}

/** By the changelog, which also a shallow clone has. */
function hasRelease(): boolean {
  return /^## \d/m.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
}

/** Extracts a release. Installs its packages only if this release has others. */
export function extractRelease(name: string): Release {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-release-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync('git', ['archive', name], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    if (readLock(folder) === readLock(root)) linkPackages(folder);
    // The first use installs them. An empty program does nothing else.
    else execFileSync('sh', ['scripts/run.sh', '/dev/null'], { cwd: folder, stdio: 'ignore' });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** All packages of this release, except its own: those of the folder are its workspaces. */
function linkPackages(folder: string): void {
  const from = join(root, 'node_modules');
  const to = join(folder, 'node_modules');
  mkdirSync(join(to, '@gateway'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@gateway' && name !== '.cache') symlinkSync(join(from, name), join(to, name));
  }
  for (const kind of ['apps', 'packages']) {
    for (const name of readdirSync(join(folder, kind))) {
      symlinkSync(join('../..', kind, name), join(to, '@gateway', name));
      const own = join(kind, name, 'node_modules');
      if (hasFiles(join(root, own))) symlinkSync(join(root, own), join(folder, own));
    }
  }
}

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

function readLock(folder: string): string {
  return readFileSync(join(folder, 'package-lock.json'), 'utf8');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function succeeds(...args: string[]): boolean {
  try {
    execFileSync('git', args, { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
