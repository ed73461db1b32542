import assert from 'node:assert/strict';
import { firstBootData } from '@gateway/cloud-init';
import { GatewayError } from '@gateway/core';
import { cephLayer, filesOf, layered, nfsLayer, readBack, setting } from './plan.ts';

const key = `k'"\\$(reboot)\`id\` # : - &a *a %s {}[]!|>`;

describe('first-boot data with hostile values', () => {
  it('has a key unchanged, only in one root-only file', () => {
    const plan = layered([nfsLayer('a'), cephLayer('b', { accessKey: key })]);

    const containing = readBack(plan).write_files?.filter(({ content }) => content.includes(key));

    assert.deepEqual(containing, [
      { path: '/etc/gateway/first-boot/layer-2.secret', permissions: '0600', content: `${key}\n` },
    ]);
    assert.equal(
      firstBootData({ ...plan, overlay: null }).includes(key),
      false,
      'a plain instance has no key',
    );
  });

  it("has the key's file, not the key, in the mount options", () => {
    const unit = filesOf(layered([cephLayer('a')])).get('/etc/systemd/system/var-lib-gateway-layers-1.mount');

    assert.match(
      setting(unit, 'Options') ?? '',
      /name=reader-a,secretfile=\/etc\/gateway\/first-boot\/layer-1\.secret/,
    );
  });

  it('has no value of the plan in a script', () => {
    const scripts = (plan: Parameters<typeof filesOf>[0]) =>
      [...filesOf(plan)].filter(([path]) => path.startsWith('/usr/local/') || path.endsWith('.sh'));
    const harmless = layered([nfsLayer('a')]);
    const hostile = layered(
      [cephLayer('b', { accessKey: key }), nfsLayer('c', { packages: [key], readOnly: false })],
      { upperVolumeId: '$(reboot)', strategy: 'dynamic' },
    );

    assert.deepEqual(scripts(hostile), scripts(harmless));
    assert.ok(scripts(harmless).length >= 5);
  });

  it('quotes permissions, which YAML 1.1 would parse as numbers', () => {
    const files = readBack(layered([cephLayer('a')])).write_files ?? [];

    assert.ok(files.every(({ permissions }) => /^0[0-7]{3}$/.test(String(permissions))));
    assert.ok(files.every(({ permissions }) => typeof permissions === 'string'));
  });

  it('has package requirements unchanged in the plan', () => {
    const plan = layered([nfsLayer('a', { packages: [key, '--index-url=x'], readOnly: false })]);

    const lines = filesOf(plan).get('/etc/gateway/first-boot/plan')?.split('\n');

    assert.ok(lines?.includes(`package_1 ${key}`));
    assert.ok(lines?.includes('package_1 --index-url=x'));
  });

  it('escapes systemd specifiers in an export location', () => {
    const share = { ...nfsLayer('a').share, exportLocation: 'host:/a%n' };
    const unit = filesOf(layered([nfsLayer('a', { share })])).get(
      '/etc/systemd/system/var-lib-gateway-layers-1.mount',
    );

    assert.equal(setting(unit, 'What'), 'host:/a%%n');
  });

  for (const exportLocation of [
    '',
    'host:/a b',
    'host:/a\nOptions=rw',
    "host:/'a",
    'host:/a\\x20b',
    'host:/$(a)',
  ]) {
    it(`refuses the export location ${JSON.stringify(exportLocation)}`, () => {
      const share = { ...nfsLayer('a').share, exportLocation };

      assert.throws(
        () => firstBootData(layered([nfsLayer('a', { share })])),
        (error) => error instanceof GatewayError && error.status === 502,
      );
    });
  }

  for (const accessTo of [null, '', 'a,rw', 'a b', 'a\nWhat=x']) {
    it(`refuses the identity ${JSON.stringify(accessTo)}`, () => {
      assert.throws(
        () => firstBootData(layered([cephLayer('a', { accessTo })])),
        (error) => error instanceof GatewayError && error.status === 502,
      );
    });
  }

  it('refuses a CephFS share without a key', () => {
    assert.throws(() => firstBootData(layered([cephLayer('a', { accessKey: null })])), GatewayError);
  });

  it('refuses values that would add lines, without the value in the message', () => {
    const plans = [
      layered([cephLayer('a', { accessKey: 'secret\nmore' })]),
      layered([nfsLayer('a')], { upperVolumeId: 'secret\ninstall 1' }),
      layered([nfsLayer('a', { packages: ['secret\r\ninstall 1'], readOnly: false })]),
    ];

    for (const plan of plans) {
      assert.throws(
        () => firstBootData(plan),
        (error) => error instanceof Error && !error.message.includes('secret'),
      );
    }
  });
});
