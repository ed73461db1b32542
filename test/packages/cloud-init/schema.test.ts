import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '@gateway/cloud-init';
import {
  agentNode,
  builder,
  cephLayer,
  controlNode,
  dataOf,
  layered,
  nfsLayer,
  plain,
  settings,
  verifier,
} from './plan.ts';

const schema = fileURLToPath(new URL('../../../../shared/firstboot-vm/schema', import.meta.url));

const plans = {
  'a plain instance': plain({ hostname: 'yes', passwordHash: await hashPassword('secret') }),
  'a prebuilt instance': layered([nfsLayer('a'), cephLayer('b', { accessKey: `'"$(x) # : &a` })]),
  'a dynamic instance': layered([nfsLayer('a', { packages: ['x; y'], readOnly: false })], {
    strategy: 'dynamic',
  }),
  'a plain instance with a GPU': plain({ gpu: { driverPackages: ['nvidia-driver'] } }),
  'a builder': builder({
    commands: ['echo "$(id)"\r\n', '#!/bin/sh\n: größe\t\x7f\n\n'],
    share: cephLayer('a').share,
  }),
  'a verifier': verifier({ pythonVersion: '3.11', imports: ['numpy'] }),
  'a control node': controlNode({
    serverArguments: ['--node-label', `a=$(reboot) '"%h\n: größe`],
    files: [{ path: '/etc/kubernetes/cloud.conf', mode: '0600', content: `secret="'$(x) # : &a\r\n` }],
    plugins: [{ key: 'block_csi', manifests: 'kind: größe\n---\n- *a\n', workloads: [] }],
  }),
  'an agent': agentNode({ agentArguments: ['--node-label', `a=$(reboot) '"%h\n: größe`] }),
};

/** `ok`, or the errors of the data; null if the tool or its image does not exist. */
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
    for (const [which, own] of [
      ['', undefined],
      [', with settings', settings],
    ] as const) {
      it(`accepts the data of ${name}${which}`, function () {
        this.timeout(120_000);
        const result = existsSync(schema) ? validate(dataOf(plan, own)) : null;
        if (result === null) {
          console.warn(`      NOT CHECKED: cloud-init's validator or its image does not exist (${schema})`);
          this.skip();
        }
        assert.equal(result, 'ok');
      });
    }
  }
});
