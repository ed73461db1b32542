import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { filesOf, layered, nfsLayer } from './plan.ts';

describe('guest scripts', () => {
  const scripts = [...filesOf(layered([nfsLayer('a')]))].filter(
    ([path]) => path.endsWith('.sh') || path.startsWith('/usr/local/sbin/'),
  );

  for (const [path, content] of scripts) {
    it(`${path} is sound shell`, () => {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: content, encoding: 'utf8' });

      assert.equal(status, 0, stderr);
    });
  }
});
