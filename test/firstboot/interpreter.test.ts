import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImageName, prepareImage } from '../../scripts/firstboot-machine.ts';
import { compiledPackage } from './compiled-package.ts';
import { interpreterSource, writeInterpreterArchive } from './interpreter-archive.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { requirementOf } from './package-source.ts';
import { type Build, type CreatedInstance, Site } from './site.ts';
import { wheelName, wheelOf } from './wheel.ts';

const RUNTIME = 'runtime';
const COMPILED = 'compiled';
const ARCHIVE = 'cpython-3.11.tar.gz';
const HOST = 'mirror.example.org';
const [FIRST, REBOOTED] = [1, 2];

const keys = [
  ...[
    'cloud-init-done',
    'overlay',
    'nfs-version',
    'image-python',
    'python-of-user',
    'prefix',
    'module-imports',
  ],
  ...['program-runs', 'pip-lists-packages', 'works-in-cron-shell', 'user-cannot-fill-search-paths'],
  ...['services-see-no-path', 'service-that-asks', 'nothing-left-mounted', 'no-failed-unit'],
];

/**
 * Takes the image's Python out of everybody's reach but cloud-init's, which is written in Python. Some images
 * have such an interpreter of the system only.
 */
const hidePython = `
test ! -e /usr/bin/python3 || {
    mv "$(readlink -f /usr/bin/python3)" /usr/lib/python-of-the-system
    rm -f /usr/bin/python3 /usr/bin/python3.*
    sed -i '1s,.*,#!/usr/lib/python-of-the-system,' /usr/bin/cloud-init
}`;

interface Image {
  title: string;
  name: ImageName;
  /** The version of its python3; empty if it has none. */
  python: string;
}

const images: Image[] = [
  { title: 'an image with Python of the same version', name: 'bookworm', python: '3.11' },
  { title: 'an image with a newer Python', name: 'trixie', python: '3.13' },
  { title: 'an image without Python', name: 'bookworm', python: '' },
];

describeOnMachine('a library with an interpreter, and one with a compiled package', () => {
  /** The folder of the web server. */
  let web: string;
  let greeting: string;
  let site: Site;

  before(async () => {
    const source = interpreterSource();
    const spec = compiledPackage(source);
    greeting = `compiled for ${source.release}`;
    web = mkdtempSync(join(tmpdir(), 'gateway-firstboot-web-'));
    mkdirSync(join(web, HOST));
    writeFileSync(join(web, wheelName(spec)), wheelOf(spec));
    const sha256 = writeInterpreterArchive(join(web, HOST, ARCHIVE), source);
    const url = `https://${HOST}/${ARCHIVE}`;
    const python_version = source.version;
    site = await Site.start(
      [
        { id: RUNTIME, packages: ['pip'], python_version, interpreter: true },
        { id: COMPILED, packages: [requirementOf(spec)], depends_on: [RUNTIME], python_version },
      ],
      {
        file_storage: { share_proto: 'NFS' },
        builds: { interpreters: [{ version: python_version, architecture: 'x86_64', url, sha256 }] },
      },
    );
  });

  after(async () => {
    await site?.stop();
    rmSync(web, { recursive: true });
  });

  async function bootOn(
    image: Image,
    name: string,
    instance: CreatedInstance,
    shareOptions: string[],
  ): Promise<Machine> {
    prepareImage(image.name);
    const vendorData = join(web, 'vendor-data');
    writeFileSync(
      vendorData,
      `#cloud-config\n${JSON.stringify(image.python === '' ? { bootcmd: [['sh', '-c', hidePython]] } : {})}\n`,
    );
    return bootMachine({
      name: `${name}-on-${image.name}${image.python === '' ? '-without-python' : ''}`,
      userData: instance.userData,
      image: image.name,
      checks: ['interpreter'],
      env: { IMAGE_PYTHON: image.python, GREETING: greeting },
      options: [
        ...['--http-dir', web, '--vendor-data', vendorData, '--reboot'],
        ...[...instance.serialOption, ...shareOptions],
      ],
    });
  }

  describe('installed by an instance', () => {
    for (const image of images) {
      it(`work on ${image.title}, also after a reboot`, async () => {
        await site.control.set({ exportPaths: { NFS: '10.0.2.2:/export' } });
        const share = site.folder();
        const fields = { name: 'dynamic', libraries: [COMPILED], strategy: 'dynamic' };
        const instance = await site.createInstance(fields);

        const machine = await bootOn(image, 'interpreter-dynamic', instance, [
          ...['--nfs-export', share, '--share-rw'],
        ]);

        assertChecks(machine, keys, [FIRST, REBOOTED]);
        const downloads = machine.requests.filter((line) => /\.(whl|tar\.gz)/.test(line));
        assert.equal(downloads.length, 2, downloads.join('\n'));
      });
    }
  });

  describe('built by builders', () => {
    const folders = new Map<string, string>();
    const builds = new Map<string, { build: Build; shareId: string }>();

    before(async () => {
      for (const library of [RUNTIME, COMPILED]) await buildOnMachine(library);
    });

    async function buildOnMachine(library: string): Promise<void> {
      const folder = site.folder();
      folders.set(library, folder);
      await site.control.set({ exportPaths: { NFS: `10.0.2.2:/${library}` } });
      const started = await site.startBuild(library);
      await bootMachine({
        name: `interpreter-builder-${library}`,
        userData: started.userData,
        checks: ['none'],
        powersOff: true,
        options: [
          ...['--no-vdb', '--nfs-export', `/${library}=${folder}`, '--share-rw'],
          ...[...site.gatewayOption, '--http-dir', web],
        ],
      });
      const build = await site.builderIsOff(started);
      assert.equal(build.status, 'ready', `${build.message}\n${build.log_tail}`);
      builds.set(library, { build, shareId: started.shareId });
    }

    async function verifyOnMachine(name: string) {
      const { build, shareId } = builds.get(COMPILED) ?? assert.fail('nothing is built');
      const started = await site.startVerification(shareId);
      const shares = [...folders].flatMap(([library, folder]) => ['--nfs-export', `/${library}=${folder}`]);
      await bootMachine({
        name,
        userData: started.userData,
        checks: ['none'],
        powersOff: true,
        options: [...started.serialOption, ...shares, ...site.gatewayOption, '--http-dir', web],
      });
      return site.verifierIsOff(build, started);
    }

    it('pass a verification', async () => {
      const { status, packages, message } = await verifyOnMachine('verifier');

      const expected = { name: 'compiled-library', version: '1.0', imported: true, error: null };
      assert.deepEqual([status, packages], ['passed', [expected]], message);
    });

    it('fail a verification if a file of a package is missing', async () => {
      const module = join(
        folders.get(COMPILED) ?? '',
        'python/lib/python3.11/site-packages/compiled_library.py',
      );
      renameSync(module, `${module}.hidden`);

      const { status, message } = await verifyOnMachine('verifier-of-broken-library').finally(() =>
        renameSync(`${module}.hidden`, module),
      );

      assert.equal(status, 'failed');
      assert.match(message, /compiled-library \(ModuleNotFoundError: /);
    });

    it('are on shares of their own', () => {
      const files = [
        'bin/python3',
        'bin/compiled-library',
        'lib/python3.11/site-packages/compiled_library.py',
      ];
      const found = [RUNTIME, COMPILED].map((library) =>
        files.filter((file) => existsSync(join(folders.get(library) ?? '', 'python', file))),
      );

      assert.deepEqual(found, [files.slice(0, 1), files.slice(1)]);
    });

    for (const image of images) {
      it(`work on ${image.title}, also after a reboot`, async () => {
        const instance = await site.createInstance({ name: 'prebuilt', libraries: [COMPILED] });

        const shares = [...folders].flatMap(([library, folder]) => ['--nfs-export', `/${library}=${folder}`]);
        const machine = await bootOn(image, 'interpreter-prebuilt', instance, shares);

        assertChecks(machine, keys, [FIRST, REBOOTED]);
      });
    }
  });
});
