import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootMachine } from './machine.ts';
import { describeOnMachine } from './machine-suite.ts';
import { type PackageIndex, startPackageIndex } from './package-index.ts';
import { packageSource } from './package-source.ts';
import { type Build, Site } from './site.ts';
import { type PythonPackage, tinyPackage } from './wheel.ts';

const BASE = 'base-library';
const DEPENDENT = 'dependent-library';

/** pip would select this version for both libraries if the requirement of the base did not exclude it. */
const newerTiny: PythonPackage = {
  ...tinyPackage,
  version: '2.0',
  files: { 'tiny_library.py': 'newer = True\n' },
};
const user: PythonPackage = {
  name: 'tiny-user',
  version: '3.1',
  requires: ['tiny-library'],
  files: { 'tiny_user.py': 'from tiny_library import greeting\n' },
};

describeOnMachine('a library and one that depends on it, built by two builders', () => {
  let site: Site;
  let index: PackageIndex;
  let base: BuiltLibrary;
  let dependent: BuiltLibrary;

  interface BuiltLibrary {
    build: Build;
    /** The folder of the share. */
    folder: string;
    metadata: Record<string, string> | undefined;
  }

  before(async () => {
    index = await startPackageIndex([tinyPackage, newerTiny, user]);
    site = await Site.start(
      [
        { id: BASE, packages: ['tiny-library<2'] },
        { id: DEPENDENT, packages: ['tiny-user', 'Tiny_Library'], depends_on: [BASE] },
      ],
      { file_storage: { share_proto: 'NFS' } },
    );
    await site.control.set({ exportPaths: { NFS: '10.0.2.2:/export' } });
    base = await buildOnMachine(BASE);
    dependent = await buildOnMachine(DEPENDENT);
  });

  after(async () => {
    await site?.stop();
    await index?.stop();
  });

  async function buildOnMachine(library: string): Promise<BuiltLibrary> {
    const folder = site.folder();
    const started = await site.startBuild(library);
    await bootMachine({
      name: library,
      userData: started.userData,
      checks: ['none'],
      powersOff: true,
      options: [
        ...['--no-vdb', '--nfs-export', folder, '--share-rw'],
        ...[...site.gatewayOption, ...index.bootOption, ...packageSource(site.folder(), index.pipConfig)],
      ],
    });
    const build = await site.builderIsOff(started);
    assert.equal(build.status, 'ready', `${build.message}\n${build.log_tail}`);
    return { build, folder, metadata: await site.shareMetadata(started.shareId) };
  }

  it('share no package in two versions', () => {
    const packages = [base, dependent].flatMap(({ folder }) => installedPackages(folder));

    assert.deepEqual([...new Set(packages)].sort(), ['tiny_library-1.0', 'tiny_user-3.1']);
  });

  it("both contain a common package in the dependency's version", () => {
    assert.deepEqual(installedPackages(base.folder), ['tiny_library-1.0']);
    assert.deepEqual(installedPackages(dependent.folder), ['tiny_library-1.0', 'tiny_user-3.1']);
    const module = 'python-packages/tiny_library.py';
    assert.equal(
      readFileSync(join(dependent.folder, module), 'utf8'),
      readFileSync(join(base.folder, module), 'utf8'),
    );
  });

  it("have their packages in their shares' metadata and in their manifests", () => {
    const recorded = [base, dependent].map(({ metadata }) => metadata?.overlay_packages);

    assert.deepEqual(recorded, ['tiny-library==1.0', 'tiny-library==1.0,tiny-user==3.1']);
    const manifest = JSON.parse(readFileSync(join(dependent.folder, '.gateway-manifest.json'), 'utf8'));
    assert.deepEqual(manifest.packages, ['tiny-library==1.0', 'tiny-user==3.1']);
  });

  it('can be used together in an instance', async () => {
    const { id } = await site.createInstance({ name: 'both', libraries: [DEPENDENT] });

    const instance = await site.gateway.read<{ overlay_strategy: string }>(`/api/instances/${id}`);
    assert.equal(instance.overlay_strategy, 'prebuilt');
  });
});

/** `tiny_library-1.0` for each package on a share. */
function installedPackages(folder: string): string[] {
  const suffix = '.dist-info';
  return readdirSync(join(folder, 'python-packages'))
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort();
}
