import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/source/workspaces.ts';

describe('the list of what to mirror', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-mirrors-'));
    writeFileSync(join(folder, 'k3s-images.txt'), 'docker.io/rancher/mirrored-pause:3.6\n');
    const lite = {
      k3s: { version: 'v1.36.1+k3s1', artifact_url: 'https://mirror.example/k3s' },
      plugins: { block_csi_enabled: true },
    };
    writeFileSync(
      join(folder, 'gateway.json'),
      JSON.stringify({ identity: { url: 'http://127.0.0.1:5000/v3' }, lite }),
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  function linesOf(...options: string[]): string[] {
    const args = ['scripts/mirror-list.ts', '--k3s-images', join(folder, 'k3s-images.txt'), ...options];
    const env = { PATH: process.env.PATH, GATEWAY_CONFIG: join(folder, 'gateway.json') };
    return execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' }).trim().split('\n');
  }

  it('has the release of k3s, its images, and those of the plugins', () => {
    const lines = linesOf();

    assert.ok(lines.includes('file https://mirror.example/k3s/v1.36.1%2Bk3s1/k3s'));
    assert.ok(lines.includes('file https://mirror.example/k3s/v1.36.1%2Bk3s1/sha256sum-amd64.txt'));
    assert.ok(lines.includes('image docker.io/rancher/mirrored-pause:3.6'));
    assert.ok(lines.some((line) => line.startsWith('image registry.k8s.io/provider-os/cinder-csi-plugin:')));
    assert.ok(lines.some((line) => line.startsWith('image nvcr.io/nvidia/k8s-device-plugin:')));
    assert.ok(!lines.some((line) => line.includes('manila-csi-plugin')));
  });

  it('has the images of all plugins, and the files of another processor', () => {
    const lines = linesOf('--all-plugins', '--arch', 'arm64');

    assert.ok(lines.includes('file https://mirror.example/k3s/v1.36.1%2Bk3s1/k3s-arm64'));
    assert.ok(lines.some((line) => line.includes('manila-csi-plugin')));
  });
});
