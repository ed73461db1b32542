import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineArchive, writeInterpreterArchive } from './interpreter.ts';
import { filesOf, layered, nfsLayer } from './plan.ts';

const files = filesOf(layered([nfsLayer('a')]));
const script = ['report', 'programs', 'python', 'layers']
  .map((name) => files.get(`/usr/local/lib/gateway/${name}.sh`) ?? '')
  .join('\n');

describe('the layers script in the guest', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'layers-'));
    mkdirSync(join(folder, 'share'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function run(command: string): string {
    const text = script.replaceAll(/\/(workspace|var\/lib)\//g, `${folder}/$1/`);
    const { status, stdout, stderr } = spawnSync('bash', ['-euc', `${text}\n${command}`], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  it('writes the packages to the share before the marker', () => {
    // After a power failure the share has what existed at the last sync.
    const fakes = `
      mountpoint() { false; }
      pip_install() { mkdir "$4"; touch "$4/numpy.py"; }
      values() { [ "$1" != package_1 ] || echo numpy; }
      sync() { (cd "$2" && find . -type f | sort | xargs); }`;

    const synced = run(`${fakes}\ninstall_library ${folder}/share package_1`);

    assert.equal(synced, './python-packages/numpy.py\n./.gateway-installed ./python-packages/numpy.py\n');
  });

  it("installs all libraries' packages in one pip run, in plan order", () => {
    const fakes = `
      mountpoint() { false; }
      values() { [ "$1" != package_1 ] || printf '%s\\n' 'wheel==0.45' 'numpy' 'jupyterlab>=4'; }
      require_command() { :; }
      retry() { shift; "$@"; }
      timeout() { shift; "$@"; }
      env() { while [[ $1 == *=* ]]; do shift; done; "$@"; }
      pip3() { printf '%s|' "$@"; }`;

    const calls = run(`${fakes}\ninstall_library ${folder}/share package_1`);

    assert.match(calls, /^install\|[^\n]*--target\|[^\n]*\|--\|wheel==0\.45\|numpy\|jupyterlab>=4\|$/);
    assert.doesNotMatch(calls, /--constraint/);
  });

  it('installs again on a machine that was created from its disk', () => {
    const install = `${folder}/var/lib/gateway/install/1`;
    const fakes = `
      mountpoint() { false; }
      retry() { shift; "$@"; }
      start_mount() { echo mount; }
      systemctl() { :; }
      sync() { :; }
      pip_install() { echo install; }
      values() { case $1 in
        install) echo 1 ;;
        package_1) echo numpy ;;
        upper_volume_id) echo "$upper_volume" ;;
      esac; }
      boot() { echo "boot of $1"; upper_volume=$1; install_libraries; }`;

    const work = run(`${fakes}
      mkdir -p "$status_dir" ${install}
      boot original
      boot original
      rm -r ${install}; mkdir ${install}
      boot copy
      boot copy`);

    assert.deepEqual(work.trim().split('\n'), [
      ...['boot of original', 'mount', 'install', 'boot of original'],
      ...['boot of copy', 'mount', 'install', 'boot of copy'],
    ]);
  });

  it('unpacks an interpreter on the share, and installs with it', () => {
    const archive = join(folder, 'archive.tar.gz');
    const { sha256 } = writeInterpreterArchive(archive);
    const fakes = `
      mountpoint() { [ -L "$2" ]; }
      mount() { rmdir "$3"; ln -s "$2" "$3"; }
      umount() { rm "$1"; }
      values() { case $1 in
        interpreter) echo '${machineArchive(sha256, `file://${archive}`)}' ;;
        package_1) echo numpy ;;
      esac; }`;
    const prepared = `mkdir -p ${folder}/var/lib/gateway/first-boot ${folder}/share/python; touch ${folder}/share/python/remains`;

    run(`${prepared}\n${fakes}\ninstall_library ${folder}/share package_1`);

    const python = join(folder, 'share/python');
    assert.ok(existsSync(join(python, 'lib/python3.11/site-packages/numpy-1.dist-info/METADATA')));
    assert.match(
      readFileSync(join(python, 'runs'), 'utf8'),
      new RegExp(`^${folder}/workspace/python/bin/python3 -m pip install [^\\n]*-- numpy\\n$`),
    );
    assert.equal(existsSync(join(python, 'remains')), false);
    assert.equal(existsSync(join(folder, 'workspace/python')), false, 'nothing stays mounted');
    assert.equal(existsSync(join(folder, 'var/lib/gateway/first-boot/interpreter.tar.gz')), false);
  });
});
