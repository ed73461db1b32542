import assert from 'node:assert/strict';
import { firstBootData, hashPassword } from '@gateway/cloud-init';
import {
  cephLayer,
  filesOf,
  interpreters,
  layered,
  nfsLayer,
  partsOf,
  plain,
  readBack,
  setting,
  upperVolumeId,
} from './plan.ts';

const unitDir = '/etc/systemd/system';
const nfsVersionPath = '/etc/nfsmount.conf.d/gateway.conf';

describe('firstBootData of a plain instance', () => {
  it('sets the host name and nothing else', () => {
    assert.deepEqual(readBack(plain({ hostname: 'web-1' })), {
      hostname: 'web-1',
    });
  });

  const names = {
    'My VM_1': 'my-vm-1',
    yes: 'yes',
    '12:30:00': '123000',
    '0777': '0777',
    '1_000': '1-000',
    "x'; $(reboot) #": 'x-reboot',
    '-a\n- b: &x *x-': 'a---b-x-x',
    ['n'.repeat(80)]: 'n'.repeat(63),
  };
  for (const [name, hostname] of Object.entries(names)) {
    it(`converts the name ${JSON.stringify(name)} to a host name`, () => {
      assert.deepEqual(readBack(plain({ hostname: name })), { hostname });
    });
  }

  it('is a valid document for a name without any valid character', () => {
    const parts = partsOf(firstBootData(plain({ hostname: '日本' })));

    assert.deepEqual(
      parts.map(({ text }) => text),
      ['#cloud-config\n{}\n'],
    );
  });

  it('contains the password as a hash that allows logging in', async () => {
    const passwordHash = await hashPassword('it\'s "$(secret)"');
    const data = readBack(plain({ passwordHash }));

    assert.equal(data.password, passwordHash);
    assert.match(passwordHash, /^\$6\$[./\w]+\$[./\w]{86}$/);
    assert.equal(data.ssh_pwauth, true);
  });
});

describe('firstBootData of a layered instance', () => {
  it('stacks the layers with the most dependent library on top', () => {
    const files = filesOf(layered([nfsLayer('runtime'), cephLayer('arrays'), nfsLayer('plots')]));

    const dir = '/var/lib/gateway/layers';
    assert.match(
      setting(files.get(`${unitDir}/workspace.mount`), 'Options') ?? '',
      new RegExp(`^lowerdir=${dir}/3:${dir}/2:${dir}/1,upperdir=`),
    );
    const sources = [1, 2, 3].map((n) =>
      setting(files.get(`${unitDir}/var-lib-gateway-layers-${n}.mount`), 'What'),
    );
    assert.deepEqual(sources, [
      '10.0.0.1:/shares/runtime',
      '10.0.0.1:6789,10.0.0.2:6789:/volumes/arrays',
      '10.0.0.1:/shares/plots',
    ]);
  });

  it('mounts every layer read-only and as a network file system', () => {
    const files = filesOf(layered([nfsLayer('a'), cephLayer('b'), nfsLayer('c', { readOnly: false })]));

    for (const n of [1, 2, 3]) {
      const options = setting(files.get(`${unitDir}/var-lib-gateway-layers-${n}.mount`), 'Options')?.split(
        ',',
      );
      assert.ok(options?.includes('ro') && options.includes('_netdev'), `layer ${n}: ${options}`);
    }
  });

  it('mounts the file system of several that has the share', () => {
    const files = filesOf(layered([cephLayer('a', { fileSystem: 'second-fs' }), cephLayer('b')]));

    const [named, other] = [1, 2].map((n) =>
      setting(files.get(`${unitDir}/var-lib-gateway-layers-${n}.mount`), 'Options')?.split(','),
    );
    assert.ok(named?.includes('mds_namespace=second-fs'), named?.join());
    assert.ok(!other?.some((option) => option.startsWith('mds_namespace')), other?.join());
    assert.throws(() => filesOf(layered([cephLayer('a', { fileSystem: 'a,suid' })])), /cannot be mounted/);
  });

  it('negotiates NFS versions from 4.1', () => {
    const files = filesOf(layered([nfsLayer('a'), cephLayer('b')]));

    assert.equal(files.get(nfsVersionPath), '[ NFSMount_Global_Options ]\nDefaultvers=4.1\n');
    assert.equal(filesOf(layered([cephLayer('a')])).has(nfsVersionPath), false);
  });

  it('names units after their directories, as systemd requires', () => {
    const files = filesOf(layered([nfsLayer('a', { readOnly: false }), cephLayer('b')]));

    const units = [...files].filter(([path]) => path.endsWith('.mount'));
    assert.equal(units.length, 5);
    for (const [path, content] of units) {
      const name = setting(content, 'Where')?.slice(1).replaceAll('/', '-');
      assert.equal(path, `${unitDir}/${name}.mount`);
    }
  });

  it('makes the workspace depend on each layer and on the upper disk', () => {
    const workspace =
      filesOf(layered([nfsLayer('a'), nfsLayer('b')])).get(`${unitDir}/workspace.mount`) ?? '';

    for (const name of ['layers-1', 'layers-2', 'upper']) {
      assert.ok(workspace.includes(`Requires=var-lib-gateway-${name}.mount\n`), name);
      assert.ok(workspace.includes(`After=var-lib-gateway-${name}.mount\n`), name);
    }
  });

  it('installs packages only into a layer that is not read-only', () => {
    const packages = ['numpy==2.1', 'pandas>=2; python_version > "3"'];
    const files = filesOf(
      layered(
        [nfsLayer('a', { packages: ['never'], interpreters }), nfsLayer('b', { packages, readOnly: false })],
        {
          strategy: 'dynamic',
        },
      ),
    );

    assert.deepEqual(files.get('/etc/gateway/first-boot/plan')?.trimEnd().split('\n'), [
      'strategy dynamic',
      `upper_volume_id ${upperVolumeId}`,
      'upper_device /dev/vdb',
      'mount_type nfs',
      'layer_unit var-lib-gateway-layers-1.mount',
      'layer_unit var-lib-gateway-layers-2.mount',
      'install 2',
      'package_2 numpy==2.1',
      'package_2 pandas>=2; python_version > "3"',
    ]);
    assert.equal(files.has(`${unitDir}/var-lib-gateway-install-1.mount`), false);
    const installing = files.get(`${unitDir}/var-lib-gateway-install-2.mount`);
    assert.match(setting(installing, 'Options') ?? '', /^rw,/);
  });

  it('names the archives of the interpreter that it installs', () => {
    const layer = nfsLayer('a', { packages: ['numpy'], interpreters, readOnly: false });

    const plan = filesOf(layered([layer], { strategy: 'dynamic' })).get('/etc/gateway/first-boot/plan');

    assert.deepEqual(
      plan?.match(/^interpreter .*$/gm),
      interpreters.map(({ architecture, sha256, url }) => `interpreter ${architecture} ${sha256} ${url}`),
    );
  });

  it('has search paths for login shells and for services that ask', () => {
    const files = filesOf(layered([nfsLayer('a')]));

    const paths = [...files].filter(([, content]) => /PATH=.*\/workspace\/python/.test(content));
    assert.deepEqual(
      paths.map(([path]) => path),
      ['/etc/gateway/workspace.env', '/etc/profile.d/gateway-workspace.sh'],
    );
  });

  it('runs one script, whose exit status is that of the boot', () => {
    const scripts = partsOf(firstBootData(layered([nfsLayer('a')]))).filter(
      ({ headers }) => headers.get('content-type') === 'text/x-shellscript; charset="us-ascii"',
    );

    assert.deepEqual(
      scripts.map(({ text }) => text),
      ['#!/bin/sh\nexec /usr/local/sbin/gateway-first-boot\n'],
    );
    assert.match(scripts[0]?.headers.get('content-disposition') ?? '', /filename="gateway-first-boot"/);
  });

  it('is the same for the same plan', () => {
    assert.equal(firstBootData(layered([cephLayer('a')])), firstBootData(layered([cephLayer('a')])));
  });

  it('refuses a plan without layers', () => {
    assert.throws(() => firstBootData(layered([])), /at least one layer/);
  });
});

describe('firstBootData of an instance with a GPU', () => {
  const packages = ['nvidia-driver-570', 'libstdc++=1:2.0~rc1-1.x86_64'];
  const lines = packages.map((name) => `gpu_package ${name}`);

  it('names the driver’s packages in the plan, one per line', () => {
    const plan = filesOf(plain({ gpu: { driverPackages: packages } })).get('/etc/gateway/first-boot/plan');

    assert.deepEqual(plan?.trimEnd().split('\n'), lines);
  });

  it('names them in addition to the layers', () => {
    const plan = { ...layered([nfsLayer('a')]), gpu: { driverPackages: packages } };

    const written = filesOf(plan).get('/etc/gateway/first-boot/plan')?.trimEnd().split('\n');

    assert.deepEqual(written?.slice(-2), lines);
    assert.ok(written?.includes('strategy prebuilt'));
  });

  it('has no search paths of a workspace without layers', () => {
    const paths = [...filesOf(plain({ gpu: { driverPackages: packages } })).keys()];

    assert.deepEqual(
      paths.filter((path) => path.startsWith('/etc/') && path.includes('workspace')),
      [],
    );
    assert.ok(paths.includes('/usr/local/sbin/gateway-first-boot'));
  });

  it('has no work if the image has a driver', () => {
    assert.equal(firstBootData(plain({ gpu: { driverPackages: [] } })), firstBootData(plain()));
  });

  for (const name of [
    '',
    '-y',
    '--allow-downgrades',
    'nvidia-',
    'a b',
    'a\nb',
    '$(reboot)',
    'a;b',
    './a.deb',
  ]) {
    it(`refuses the package ${JSON.stringify(name)}`, () => {
      assert.throws(
        () => firstBootData(plain({ gpu: { driverPackages: [name] } })),
        /operating system has an invalid name/,
      );
    });
  }
});
