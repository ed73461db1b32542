import assert from 'node:assert/strict';
import { firstBootData, hashPassword } from '@gateway/cloud-init';
import { cephLayer, filesOf, layered, nfsLayer, readBack, setting, upperVolumeId } from './plan.ts';

const unitDir = '/etc/systemd/system';

describe('firstBootData of a plain instance', () => {
  it('sets the host name and nothing else', () => {
    assert.deepEqual(readBack({ hostname: 'web-1', passwordHash: null, overlay: null }), {
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
    it(`makes the name ${JSON.stringify(name)} a host name`, () => {
      assert.deepEqual(readBack({ hostname: name, passwordHash: null, overlay: null }), { hostname });
    });
  }

  it('is a whole document for a name of which nothing is left', () => {
    const data = firstBootData({ hostname: '日本', passwordHash: null, overlay: null });

    assert.equal(data, '#cloud-config\n{}\n');
  });

  it('takes the password as a hash that opens a log-in', () => {
    const passwordHash = hashPassword('it\'s "$(secret)"');
    const data = readBack({ hostname: 'a', passwordHash, overlay: null });

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

  it('names units after their directories, as systemd demands', () => {
    const files = filesOf(layered([nfsLayer('a', { readOnly: false }), cephLayer('b')]));

    const units = [...files].filter(([path]) => path.endsWith('.mount'));
    assert.equal(units.length, 5);
    for (const [path, content] of units) {
      const name = setting(content, 'Where')?.slice(1).replaceAll('/', '-');
      assert.equal(path, `${unitDir}/${name}.mount`);
    }
  });

  it('ties the workspace to each of its layers and to the upper disk', () => {
    const workspace =
      filesOf(layered([nfsLayer('a'), nfsLayer('b')])).get(`${unitDir}/workspace.mount`) ?? '';

    for (const name of ['layers-1', 'layers-2', 'upper']) {
      assert.ok(workspace.includes(`Requires=var-lib-gateway-${name}.mount\n`), name);
      assert.ok(workspace.includes(`After=var-lib-gateway-${name}.mount\n`), name);
    }
  });

  it('has packages installed only for a layer that is not read-only', () => {
    const packages = ['numpy==2.1', 'pandas>=2; python_version > "3"'];
    const files = filesOf(
      layered([nfsLayer('a', { packages: ['never'] }), nfsLayer('b', { packages, readOnly: false })], {
        strategy: 'dynamic',
      }),
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

  it('runs the one script, so that its exit status becomes that of the first boot', () => {
    assert.deepEqual(readBack(layered([nfsLayer('a')])).runcmd, [['/usr/local/sbin/gateway-first-boot']]);
  });

  it('is the same for the same plan', () => {
    assert.equal(firstBootData(layered([cephLayer('a')])), firstBootData(layered([cephLayer('a')])));
  });

  it('refuses a plan without layers', () => {
    assert.throws(() => firstBootData(layered([])), /at least one layer/);
  });
});
