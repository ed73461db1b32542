import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gitIn, run } from './run.ts';

/**
 * Builds what a release consists of, into an empty folder `release/`: the source with which the image is
 * built, the files of `deploy/`, the Helm chart, the packages of client, Python client and command line, a
 * software bill of materials, and checksums.
 *
 * @param commit with the version in its files
 */
export async function buildArtefacts(folder: string, version: string, commit: string): Promise<string[]> {
  const target = join(folder, 'release');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const archive = (name: string, paths: string[]) =>
    gitIn(folder, [
      ...['archive', '--format', 'tar.gz', '--prefix', `${name}/`],
      ...['--output', join(target, `${name}.tar.gz`), commit, ...paths],
    ]);
  // What `helm package` makes: the files of the chart in a folder with its name.
  await gitIn(folder, [
    ...['archive', '--format', 'tgz', '--prefix', 'cloud-resource-gateway/'],
    ...['--output', join(target, `cloud-resource-gateway-chart-${version}.tgz`), `${commit}:deploy/helm`],
  ]);
  await archive(`cloud-resource-gateway-${version}`, []);
  await archive(`cloud-resource-gateway-deploy-${version}`, [
    ...['deploy', 'docker-compose.yml', 'config.example.yaml', 'docs/settings.md'],
  ]);
  for (const workspace of ['@gateway/client', '@gateway/cli'])
    await run('npm', ['pack', '--workspace', workspace, '--pack-destination', target], folder);
  await run(process.execPath, ['scripts/client-python/main.ts', target], folder);
  writeFileSync(join(target, `cloud-resource-gateway-${version}.cdx.json`), await billOfMaterials(folder));
  const names = readdirSync(target).sort();
  const sums = await Promise.all(names.map(async (name) => `${await sha256(join(target, name))}  ${name}\n`));
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
  return [...names, 'SHA256SUMS'];
}

/** CycloneDX, of what the image installs: api and worker without development packages. */
async function billOfMaterials(folder: string): Promise<string> {
  const text = await run(
    'npm',
    [
      ...['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
      ...['--omit', 'dev', '--workspace', '@gateway/api', '--workspace', '@gateway/worker'],
    ],
    folder,
  );
  const bill = JSON.parse(text) as { metadata: { component: { name: string } } };
  // npm takes the name of the folder.
  bill.metadata.component.name = 'cloud-resource-gateway';
  return `${JSON.stringify(bill, null, 2)}\n`;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
