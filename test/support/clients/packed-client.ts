import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../source/workspaces.ts';

const run = promisify(execFile);

/** An empty project that has installed packages/client as it is published. */
export interface ProjectWithClient {
  readonly folder: string;
  /** Writes a file into the project and returns its path. */
  write(name: string, text: string): string;
  remove(): void;
}

/**
 * Packs the client of a release, by default this one, and installs it. The dependencies are installed from
 * its node_modules, so neither the registry nor a cache is needed.
 * @throws when npm fails, with its output
 */
export async function installPackedClient(source = root): Promise<ProjectWithClient> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-client-'));
  const project: ProjectWithClient = {
    folder,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  try {
    project.write('package.json', JSON.stringify({ name: 'dashboard', private: true, type: 'module' }));
    const packed = await npm(source, 'pack', '--json', '-w', '@gateway/client', '--pack-destination', folder);
    const [tarball = ''] = /[\w.-]+\.tgz/.exec(packed) ?? [];
    const parser = realpathSync(join(source, 'node_modules/eventsource-parser'));
    await npm(folder, 'install', '--offline', '--install-links', join(folder, tarball), parser);
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
