import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../source/workspaces.ts';

const run = promisify(execFile);

/** An empty project that has installed a workspace as it is published. */
export interface PackedProject {
  readonly folder: string;
  /** Writes a file into the project and returns its path. */
  write(name: string, text: string): string;
  remove(): void;
}

export interface PackedProjectOptions {
  /** The folder of the release, by default this one. */
  source?: string;
  /** The folders of packages that it needs, so that neither the registry nor a cache is. */
  dependencies?: readonly string[];
}

/** Packs a workspace, and installs it offline. @throws when npm fails, with its output */
export async function installPacked(
  workspace: string,
  { source = root, dependencies = [] }: PackedProjectOptions = {},
): Promise<PackedProject> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-packed-'));
  const project: PackedProject = {
    folder,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  try {
    project.write('package.json', JSON.stringify({ name: 'user', private: true, type: 'module' }));
    const packed = await npm(source, 'pack', '--json', '-w', workspace, '--pack-destination', folder);
    const [tarball = ''] = /[\w.-]+\.tgz/.exec(packed) ?? [];
    await npm(folder, 'install', '--offline', '--install-links', join(folder, tarball), ...dependencies);
    return project;
  } catch (error) {
    project.remove();
    throw error;
  }
}

/** Runs npm without the settings that npm passes to its scripts. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const settings = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const { stdout } = await run('npm', args, { cwd, env: Object.fromEntries(settings) });
  return stdout;
}
