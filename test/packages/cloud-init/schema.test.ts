import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstBootData, hashPassword } from '@gateway/cloud-init';
import { cephLayer, layered, nfsLayer } from './plan.ts';

const schema = fileURLToPath(new URL('../../../../shared/firstboot-vm/schema', import.meta.url));

const plans = {
  plain: { hostname: 'yes', passwordHash: hashPassword('secret'), overlay: null },
  prebuilt: layered([nfsLayer('a'), cephLayer('b', { accessKey: `'"$(x) # : &a` })]),
  dynamic: layered([nfsLayer('a', { packages: ['x; y'], readOnly: false })], { strategy: 'dynamic' }),
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
    it(`accepts the data of a ${name} instance`, function () {
      this.timeout(60_000);
      const verdict = existsSync(schema) ? validate(firstBootData(plan)) : null;
      if (verdict === null) {
        console.warn(`      NOT CHECKED: cloud-init's validator or its image is not there (${schema})`);
        this.skip();
      }
      assert.equal(verdict, 'ok');
    });
  }
});
