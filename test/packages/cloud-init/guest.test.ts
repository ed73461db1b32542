import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { builder, filesOf, layered, nfsLayer } from './plan.ts';

describe('guest scripts', () => {
  const scripts = Object.entries({ instance: layered([nfsLayer('a')]), builder: builder() }).flatMap(
    ([machine, plan]) =>
      [...filesOf(plan)]
        .filter(([path]) => path.endsWith('.sh') || path.startsWith('/usr/local/sbin/'))
        .map(([path, content]) => ({ machine, path, content })),
  );

  for (const { machine, path, content } of scripts) {
    it(`${path} of ${machine === 'instance' ? 'an instance' : 'a builder'} is valid shell`, () => {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: content, encoding: 'utf8' });

      assert.equal(status, 0, stderr);
    });
  }
});
