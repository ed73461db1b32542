import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { skipWithout } from '../../support/skip-without.ts';
import { filesOf, layered, nfsLayer, upperVolumeId } from './plan.ts';

const script = filesOf(layered([nfsLayer('a')])).get('/usr/local/lib/gateway/upper-disk.sh') ?? '';
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

function sh(command: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', command], { encoding: 'utf8', env });
  return { status, output: (stdout + stderr).trim() };
}

/** An MBR with one partition that blkid and wipefs recognise. */
function partitionTable(): Buffer {
  const sector = Buffer.alloc(512);
  sector.set([0, 0, 2, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0], 446);
  sector.set([0x55, 0xaa], 510);
  return sector;
}

describe('format_if_blank in the guest', () => {
  let folder: string;
  let disk: string;

  before(function () {
    if (sh('command -v mkfs.ext4 blkid wipefs').status === 0) return;
    skipWithout('mkfs.ext4, blkid or wipefs', 'install e2fsprogs and util-linux', this);
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'upper-disk-'));
    disk = join(folder, 'disk');
    writeFileSync(disk, '');
    truncateSync(disk, 16 * 1024 ** 2);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function formatIfBlank(): { status: number | null; output: string } {
    return sh(`${script}\nudevadm() { :; }\nupper_disk=${disk}\nformat_if_blank`);
  }

  it('formats a blank disk, once', () => {
    assert.equal(formatIfBlank().status, 0);
    const formatted = readFileSync(disk);

    assert.equal(formatIfBlank().status, 0);

    assert.equal(sh(`blkid --probe --match-tag LABEL --output value ${disk}`).output, 'gateway-upper');
    assert.ok(readFileSync(disk).equals(formatted));
  });

  it('does not change an existing file system', () => {
    sh(`mkfs.ext4 -q -L existing ${disk}`);
    const before = readFileSync(disk);

    assert.equal(formatIfBlank().status, 0);

    assert.ok(readFileSync(disk).equals(before));
  });

  const foreign = {
    'an encrypted volume': (bytes: Buffer) => bytes.write('LUKS\xba\xbe\x00\x02', 0, 'latin1'),
    'a partition table': (bytes: Buffer) => partitionTable().copy(bytes),
    'data without a known signature': (bytes: Buffer) => bytes.write('neither zeros nor a signature', 65_536),
  };
  for (const [what, write] of Object.entries(foreign)) {
    it(`refuses ${what} and does not change it`, () => {
      const bytes = readFileSync(disk);
      write(bytes);
      writeFileSync(disk, bytes);

      const { status, output } = formatIfBlank();

      assert.notEqual(status, 0);
      assert.match(output, /refused/);
      assert.ok(readFileSync(disk).equals(bytes));
    });
  }

  it('refuses a disk that is not readable', () => {
    rmSync(disk);

    assert.notEqual(formatIfBlank().status, 0);
  });
});

describe('choose_upper_disk in the guest', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'upper-disk-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The disk that is chosen in a machine with these files below `/sys/block`; null for none. */
  function chosen(files: Record<string, string | Buffer>, links: Record<string, string> = {}): string | null {
    for (const [name, content] of Object.entries(files)) write(join('block', name), content);
    for (const [link, target] of Object.entries(links)) {
      write(target, '');
      mkdirSync(dirname(join(folder, 'disk', link)), { recursive: true });
      symlinkSync(join(folder, target), join(folder, 'disk', link));
    }
    const inFolder = script
      .replaceAll('/sys/block', `${folder}/block`)
      .replaceAll('/dev/disk', `${folder}/disk`)
      .replaceAll('"/dev/$', `"${folder}/$`);
    const { output, status } = sh(
      `${inFolder}
      udevadm() { :; }
      values() { case $1 in upper_volume_id) echo ${upperVolumeId} ;; *) echo /dev/missing ;; esac; }
      choose_upper_disk && echo "$upper_disk"`,
    );
    return status === 0 ? output.replace(`${folder}/`, '') : null;
  }

  function write(name: string, content: string | Buffer): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }

  const cut = upperVolumeId.slice(0, 20);
  const page = (text: string) => Buffer.from(`\0\x80\0${String.fromCharCode(text.length)}${text}`, 'latin1');
  for (const [controller, files] of [
    ['virtio', { 'vda/serial': 'another', 'vdb/serial': cut }],
    ['virtio-scsi', { 'sda/device/vpd_pg80': page('drive-1'), 'vdb/device/vpd_pg80': page(upperVolumeId) }],
    ['SATA', { 'vdb/device/vpd_pg80': page(cut) }],
    ['NVMe', { 'vdb/device/serial': `${cut}\n` }],
    [
      'a world-wide name',
      { 'vdb/device/wwid': `naa.6000c29${upperVolumeId.replaceAll('-', '').toUpperCase()}` },
    ],
  ] as const) {
    it(`finds the volume under ${controller}`, () => {
      assert.equal(chosen(files), 'vdb');
    });
  }

  it('prefers a name that lasts', () => {
    const links = { 'by-id/scsi-0QEMU_volume': 'vdb', 'by-id/scsi-0QEMU_other': 'vda' };

    assert.equal(chosen({ 'vdb/serial': cut }, links), 'disk/by-id/scsi-0QEMU_volume');
  });

  it('takes no disk of another volume', () => {
    assert.equal(chosen({ 'vdb/serial': '1f9b2f6e-13a1-4b7e-9' }), null);
  });
});

describe('name_device in the guest', () => {
  const dropIn = 'etc/systemd/system/var-lib-gateway-upper.mount.d';
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'upper-disk-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function nameDevice(device: string): number | null {
    const inFolder = script.replaceAll('/etc/systemd', `${folder}/etc/systemd`);
    return sh(`${inFolder}\nupper_disk=${device}\nname_device`).status;
  }

  const named = () => readFileSync(join(folder, dropIn, 'device.conf'), 'utf8');

  it('names the disk for the mounts of later boots', () => {
    assert.equal(nameDevice('/dev/vdb'), 0);
    assert.equal(named(), '[Mount]\nWhat=/dev/vdb\n');
    assert.equal(nameDevice('/dev/vdc'), 0);
    assert.equal(named(), '[Mount]\nWhat=/dev/vdc\n');
  });

  it('writes nothing for the same disk, and keeps the name otherwise', () => {
    nameDevice('/dev/vdb');
    symlinkSync('/dev/full', join(folder, dropIn, 'device.conf.new'));

    assert.equal(nameDevice('/dev/vdb'), 0);
    assert.notEqual(nameDevice('/dev/vdc'), 0);

    assert.equal(named(), '[Mount]\nWhat=/dev/vdb\n');
  });
});
