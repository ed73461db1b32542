import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '@gateway/cloud-init';
import { builder, cephLayer, dataOf, layered, nfsLayer, plain } from './plan.ts';

const schema = fileURLToPath(new URL('../../../../shared/firstboot-vm/schema', import.meta.url));

const plans = {
  'a plain instance': plain({ hostname: 'yes', passwordHash: hashPassword('secret') }),
  'a prebuilt instance': layered([nfsLayer('a'), cephLayer('b', { accessKey: `'"$(x) # : &a` })]),
  'a dynamic instance': layered([nfsLayer('a', { packages: ['x; y'], readOnly: false })], {
    strategy: 'dynamic',
  }),
  'a plain instance with a GPU': plain({ gpu: { driverPackages: ['nvidia-driver'] } }),
  'a builder': builder({
    commands: ['echo "$(id)"\r\n', '#!/bin/sh\n: größe\t\x7f\n\n'],
    share: cephLayer('a').share,
  }),
};

/** `ok`, or what speaks against the data; null when the tool or its image is not there. */
function validate(data: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'first-boot-'));
  const file = join(folder, 'user-data');
  writeFileSync(file, data);
  const { status, stdout, stderr } = spawnSync(schema, [file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (status === 0) return 'ok';
  return status === 2 ? null : stdout + stderr;
}

describe('cloud-init’s own validator', () => {
  for (const [name, plan] of Object.entries(plans)) {
    it(`accepts the data of ${name}`, function () {
      this.timeout(60_000);
      const verdict = existsSync(schema) ? validate(dataOf(plan)) : null;
      if (verdict === null) {
        console.warn(`      NOT CHECKED: cloud-init's validator or its image is not there (${schema})`);
        this.skip();
      }
      assert.equal(verdict, 'ok');
    });
  }
});
