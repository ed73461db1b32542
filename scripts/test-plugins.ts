import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs the plugins of lite clusters against a real Kubernetes API server and the test cloud:
 *   npm run test:plugins [-- <arguments of the bed's prove>]
 * Needs the beds beside the repository (see CONTRIBUTING.md). Without them it runs nothing and says so.
 */
const repository = join(import.meta.dirname, '..');
const beds = join(repository, '../shared');
process.exitCode = existsSync(join(beds, 'plugins/prove')) ? prove(process.argv.slice(2)) : skip();

function skip(): number {
  console.log('SKIPPED: the folder beside the repository with the programs of the plugins is missing.');
  console.log('0 passed, 0 failed');
  return 0;
}

/** Runs a copy of the bed, which renders with this repository's own module. */
function prove(options: string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-plugins-'));
  const bed = join(folder, 'plugins');
  try {
    cpSync(join(beds, 'plugins'), bed, { recursive: true, filter: (path) => !path.endsWith('render.mjs') });
    for (const sibling of ['kubernetes', 'openstack'])
      symlinkSync(join(beds, sibling), join(folder, sibling));
    const module = pathToFileURL(join(repository, 'test/plugins/render.ts')).href;
    mkdirSync(join(bed, 'lib'), { recursive: true });
    writeFileSync(join(bed, 'lib/render.mjs'), `import ${JSON.stringify(module)};\n`);
    return spawnSync(join(bed, 'prove'), [repository, ...options], { stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
