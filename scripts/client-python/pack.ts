import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../release/run.ts';
import { projectRoot } from '../server-process.ts';
import { generateModules, PACKAGE } from './generate.ts';

const CONTENTS = ['pyproject.toml', 'README.md', 'src'];

/**
 * Writes the package as an archive of its source, with what is generated: pip builds the wheel of it, which
 * needs no Node.js. Returns the path of the archive.
 */
export async function packSource(target: string): Promise<string> {
  await generateModules();
  const [, version = ''] =
    /^version = "(.*)"$/m.exec(readFileSync(join(PACKAGE, 'pyproject.toml'), 'utf8')) ?? [];
  const name = `cloud_gateway_client-${version}`;
  const staging = mkdtempSync(join(tmpdir(), 'gateway-python-'));
  try {
    for (const path of CONTENTS)
      cpSync(join(PACKAGE, path), join(staging, name, path), {
        recursive: true,
        filter: (source) => !source.includes('__pycache__') && !source.includes('.mypy_cache'),
      });
    cpSync(join(projectRoot, 'LICENSE'), join(staging, name, 'LICENSE'));
    mkdirSync(target, { recursive: true });
    const archive = join(target, `${name}.tar.gz`);
    await run('tar', ['--create', '--gzip', '--file', archive, name], staging);
    return archive;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
