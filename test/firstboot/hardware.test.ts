import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeUserData, firstBootData } from '@gateway/cloud-init';
import { controlNodeFirstBootData } from '@gateway/lite';
import { controlNode, layered, nfsLayer, upperVolumeId } from '../packages/cloud-init/plan.ts';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { type NodeSource, nodeSource } from './node-source.ts';

const HOURS_AHEAD = 9 * 3_600_000;
const MACHINE_ID = '7b2c0c1e-41d1-4f22-8333-9a4455556666';
const CALLBACK = 'http://10.0.2.2:8080/api/lite/callback';
/** Sets the clock to the time of the web server, some seconds after the node has found that it is wrong. */
const LATE_TIME_SERVER = `#!/bin/sh
systemd-run sh -c '
    until grep --quiet " stage clock" /var/log/gateway-first-boot.log; do sleep 1; done
    sleep 15
    date --set "$(curl --silent --head http://10.0.2.2/ | sed --quiet "s/\\r$//; s/^[Dd]ate: //p")"
'
`;
const SHARE = {
  protocol: 'NFS',
  exportLocation: '10.0.2.2:/export',
  accessTo: null,
  accessKey: null,
} as const;

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-firstboot-files-'));
  chmodSync(folder, 0o755);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

describeOnMachine('a machine with a config drive, and its disk under virtio-scsi', () => {
  let folder: string;
  let machine: Machine;

  before(async () => {
    folder = folderOf(libraryFiles);
    const text = firstBootData(layered([nfsLayer('a', { share: SHARE })]));
    machine = await bootMachine({
      name: 'config-drive',
      userData: Buffer.from(encodeUserData(text, 'instance'), 'base64'),
      checks: ['mounted', 'config-drive'],
      env: { EXPECT_ID: MACHINE_ID },
      hardware: { configDriveOf: MACHINE_ID, hasScsiDisk: true },
      options: ['--nfs-export', folder, '--vdb-serial', upperVolumeId],
    });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has its data and address from the drive', () => {
    assertChecks(machine, ['cloud-init-done', 'from-config-drive', 'instance-id', 'fixed-address']);
  });

  it('uses the disk for its workspace', () => {
    assertChecks(machine, ['overlay', 'user-writes', 'user-file-on-disk', 'disk-is-scsi']);
  });
});

describeOnMachine('a control node whose clock is nine hours ahead', () => {
  let source: NodeSource;

  before(() => {
    source = nodeSource();
  });
  after(() => source.remove());

  function bootNode(name: string, options: string[] = []): Promise<Machine> {
    const text = controlNodeFirstBootData(
      controlNode({
        k3s: { ...controlNode().k3s, installerUrl: 'https://get.k3s.io' },
        callback: { url: CALLBACK, progressUrl: 'http://10.0.2.2:9/', token: 'token', caPem: null },
        renewal: { url: `${CALLBACK}/kubeconfig`, token: `renewal.${'0'.repeat(64)}` },
        plugins: [],
      }),
    );
    return bootMachine({
      name,
      userData: Buffer.from(encodeUserData(text, 'cluster'), 'base64'),
      checks: ['clock'],
      env: { RIGHT_BEFORE: String(Math.floor(Date.now() / 1000) + 3600) },
      hardware: { clock: Date.now() + HOURS_AHEAD },
      options: [...source.options, ...options],
    });
  }

  const lastReportOf = ({ posts }: Machine) =>
    JSON.parse(posts.findLast(({ url }) => url === CALLBACK)?.body ?? '{}') as {
      success: boolean;
      error: string | null;
    };

  it('reports that, and starts no k3s', async () => {
    const machine = await bootNode('wrong-clock');

    const report = lastReportOf(machine);
    assert.equal(report.success, false);
    assert.match(
      report.error ?? '',
      /^stage clock: the clock is 32\d{3} s fast, and no time server has set it/,
    );
    assertChecks(machine, ['waited-for-clock']);
    assert.equal(machine.result('k3s-active').ok, false);
  });

  it('starts k3s as soon as the clock is right', async () => {
    const folder = folderOf({ 'late-time-server': LATE_TIME_SERVER });
    const machine = await bootNode('corrected-clock', ['--vendor-data', join(folder, 'late-time-server')]);
    rmSync(folder, { recursive: true });

    const report = lastReportOf(machine);
    assert.deepEqual([report.success, report.error], [true, null]);
    assertChecks(machine, ['waited-for-clock', 'k3s-active', 'clock-is-right']);
  });
});
