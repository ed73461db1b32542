import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { agentNode, builder, controlNode, filesOf, layered, nfsLayer, verifier } from './plan.ts';

const machines = {
  'an instance': layered([nfsLayer('a')]),
  'a builder': builder(),
  'a verifier': verifier(),
  'a control node': controlNode(),
  'an agent': agentNode(),
};

describe('guest scripts', () => {
  const scripts = Object.entries(machines).flatMap(([machine, plan]) =>
    [...filesOf(plan)]
      .filter(([path]) => path.endsWith('.sh') || path.startsWith('/usr/local/sbin/'))
      .map(([path, content]) => ({ machine, path, content })),
  );

  for (const { machine, path, content } of scripts) {
    it(`${path} of ${machine} is valid shell`, () => {
      const shell = content.startsWith('#!/bin/sh\n') ? 'sh' : 'bash';
      const { status, stderr } = spawnSync(shell, ['-n'], { input: content, encoding: 'utf8' });

      assert.equal(status, 0, stderr);
    });
  }

  it('wait as long as they say although the clock is set meanwhile', () => {
    const report = filesOf(builder()).get('/usr/local/lib/gateway/report.sh') ?? '';
    const waiting = `
      sleep() { SECONDS=$((SECONDS + 32400)); }
      tries=0
      succeed() { tries=$((tries + 1)); [ "$tries" = 3 ]; }
      retry 600 succeed && printf %s "$tries"`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', report + waiting], { encoding: 'utf8' });

    assert.deepEqual([status, stdout], [0, '3'], stderr);
  });
});
