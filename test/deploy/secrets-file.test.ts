import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readText } from './deploy-files.ts';

/** The documented commands that write a file with new sealing keys. */
const commands = [
  ...readText('docs/operations.md').matchAll(
    /^\(.* cat > (\S+)\) <<END\n[\s\S]*?openssl rand[\s\S]*?^END$/gm,
  ),
].map(([command, file = '']) => ({ command, file }));

describe('the documented commands for files with secrets', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are those of the manifests and of the chart', () => {
    assert.deepEqual(
      commands.map(({ file }) => file),
      ['deploy/kubernetes/overlays/example/secrets.env', 'secrets.local.yaml'],
    );
  });

  for (const { command, file } of commands)
    it(`keep the sealing keys in ${file} when repeated`, () => {
      const run = () => spawnSync('sh', ['-c', command], { cwd: folder }).status;
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });

      assert.equal(run(), 0);
      const secrets = readFileSync(path, 'utf8');
      assert.notEqual(run(), 0);

      assert.equal(readFileSync(path, 'utf8'), secrets);
      assert.match(secrets, /GATEWAY_SEALING_KEYS[:=] ?main:[\w+/]{43}=$/m);
      assert.equal(statSync(path).mode & 0o777, 0o600);
    });
});
