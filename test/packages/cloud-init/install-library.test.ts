import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf, layered, nfsLayer } from './plan.ts';

const script = filesOf(layered([nfsLayer('a')])).get('/usr/local/lib/gateway/layers.sh') ?? '';

describe('install_library in the guest', () => {
  let share: string;

  beforeEach(() => {
    share = mkdtempSync(join(tmpdir(), 'share-'));
  });
  afterEach(() => rmSync(share, { recursive: true }));

  it('has what it installed on the share before the marker that says so', () => {
    // A power cut leaves what was there at the last sync.
    const standIns = `
      pip_install() { mkdir "$1"; touch "$1/numpy.py"; }
      values() { echo numpy; }
      sync() { (cd "$2" && find . -type f | sort | xargs); }`;

    const { stdout } = spawnSync(
      'bash',
      ['-euc', `${script}${standIns}\ninstall_library ${share} package_1`],
      {
        encoding: 'utf8',
      },
    );

    assert.equal(stdout, './python/numpy.py\n./.gateway-installed ./python/numpy.py\n');
  });
});
