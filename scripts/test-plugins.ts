import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { recordRequests } from '../test/plugins/record-requests.ts';
import { snapshotPrograms } from '../test/plugins/snapshot-programs.ts';

/**
 * Runs the plugins of lite clusters against a real Kubernetes API server and the test cloud:
 *   npm run test:plugins [-- [--record] <arguments of the bed's prove>]
 * Adds the programs of snapshots and their checks, which the bed lacks.
 * `--record` adds the requests of the programs to test/fixtures/plugins/requests.json.
 * Needs the beds beside the repository (see CONTRIBUTING.md). Without them it runs nothing and says so.
 */
const repository = join(import.meta.dirname, '..');
const beds = join(repository, '../shared');
const clusters = join(process.env.PLUGINS_STATE_DIR ?? '/var/lib/gateway-plugins', 'clusters');
const fixture = join(repository, 'test/fixtures/plugins/requests.json');
const prover = join(repository, 'test/plugins/prove-with-snapshots.py');
const options = process.argv.slice(2);
process.exitCode = existsSync(join(beds, 'plugins/prove')) ? inBed(options) : skip();

function skip(): number {
  console.log('SKIPPED: the folder beside the repository with the programs of the plugins is missing.');
  console.log('0 passed, 0 failed');
  return 0;
}

/** Runs in a copy of the bed, which renders with this repository's own module. */
function inBed(options: string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-plugins-'));
  const bed = join(folder, 'plugins');
  try {
    cpSync(join(beds, 'plugins'), bed, { recursive: true, filter: (path) => !path.endsWith('render.mjs') });
    for (const sibling of ['kubernetes', 'openstack'])
      symlinkSync(join(beds, sibling), join(folder, sibling));
    const module = pathToFileURL(join(repository, 'test/plugins/render.ts')).href;
    mkdirSync(join(bed, 'lib'), { recursive: true });
    writeFileSync(join(bed, 'lib/render.mjs'), `import ${JSON.stringify(module)};\n`);
    const images = join(bed, 'lib/images.json');
    const programs = snapshotPrograms(join(repository, '.data/plugins'));
    writeFileSync(images, JSON.stringify({ ...JSON.parse(readFileSync(images, 'utf8')), ...programs }));
    const others = options.filter((option) => option !== '--record');
    return others.length < options.length ? record(bed, others) : prove(bed, others);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function prove(bed: string, options: string[]): number {
  return spawnSync('python3', [prover, bed, repository, ...options], { stdio: 'inherit' }).status ?? 1;
}

/** The log is in the cluster's folder, which ends with the cluster. */
function record(bed: string, options: string[]): number {
  const name = `recorded${process.pid}`;
  try {
    const status = prove(bed, [...options, '--name', name, '--keep']);
    const added = recordRequests(join(clusters, name, 'logs/cloud-requests.jsonl'), fixture);
    console.log(`${added} requests are new in the record.`);
    return status;
  } finally {
    prove(bed, ['--name', name, '--remove']);
  }
}
