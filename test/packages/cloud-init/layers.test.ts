import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf, layered, nfsLayer } from './plan.ts';

const script = filesOf(layered([nfsLayer('a')])).get('/usr/local/lib/gateway/layers.sh') ?? '';

describe('the layers script in the guest', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'layers-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function run(command: string): string {
    const text = script.replaceAll(/\/(workspace|usr)\//g, `${folder}/$1/`);
    const { status, stdout, stderr } = spawnSync('bash', ['-euc', `${text}\n${command}`], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  it('writes the packages to the share before the marker', () => {
    // After a power failure the share has what existed at the last sync.
    const fakes = `
      pip_install() { mkdir "$1"; touch "$1/numpy.py"; }
      values() { echo numpy; }
      sync() { (cd "$2" && find . -type f | sort | xargs); }`;

    const synced = run(`${fakes}\ninstall_library ${folder} package_1`);

    assert.equal(synced, './python/numpy.py\n./.gateway-installed ./python/numpy.py\n');
  });

  it("installs all libraries' packages in one pip run, in plan order", () => {
    const pip = filesOf(layered([nfsLayer('a')])).get('/usr/local/lib/gateway/python.sh') ?? '';
    const fakes = `
      values() { printf '%s\\n' 'wheel==0.45' 'numpy' 'jupyterlab>=4'; }
      require_command() { :; }
      retry() { shift; "$@"; }
      timeout() { shift; "$@"; }
      env() { while [[ $1 == *=* ]]; do shift; done; "$@"; }
      pip3() { printf '%s|' "$@"; }`;

    const calls = run(`${pip}\n${fakes}\ninstall_library ${folder} package_1`);

    assert.match(calls, /^install\|[^\n]*--target\|[^\n]*\|--\|wheel==0\.45\|numpy\|jupyterlab>=4\|$/);
    assert.doesNotMatch(calls, /--constraint/);
  });

  it('links the data files of packages to where Jupyter searches, also repeatedly', () => {
    const files = join(folder, 'workspace/python/share/jupyter');
    mkdirSync(files, { recursive: true });

    run('link_jupyter\nlink_jupyter');

    assert.equal(readlinkSync(join(folder, 'usr/local/share/jupyter')), files);
    assert.deepEqual(readdirSync(files), []);
    assert.equal(existsSync(join(folder, 'usr/local/etc')), false);
  });

  it("does not change the system's own Jupyter", () => {
    mkdirSync(join(folder, 'workspace/python/share/jupyter'), { recursive: true });
    mkdirSync(join(folder, 'usr/local/share/jupyter'), { recursive: true });

    run('link_jupyter');

    assert.deepEqual(readdirSync(join(folder, 'usr/local/share/jupyter')), []);
  });
});
