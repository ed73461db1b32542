import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aggregatePlugins } from '@gateway/lite';
import { pluginSettings } from './plugin-settings.ts';

const { files } = aggregatePlugins(['secrets_kms'], pluginSettings());

function contentOf(path: string): string {
  return files.find((file) => file.path === path)?.content ?? assert.fail(`no file ${path}`);
}

/** The parts of an API server that the script uses. Its key works only if the file `key-works` exists. */
const k3s = `#!/bin/sh
shift
printf '%s\\n' "$*" >> calls
case "$*" in
*"get --raw /readyz"*)
  [ ! -e not-ready ]
  ;;
*"get --raw /metrics"*)
  printf 'apiserver_envelope_encryption_key_id_hash_total{key_id_hash="x",provider_name="other",transformation_type="to_storage"} 7\\n'
  [ ! -e encrypted ] || printf 'apiserver_envelope_encryption_key_id_hash_total{key_id_hash="x",provider_name="barbican",transformation_type="to_storage"} %s\\n' "$(wc -l < encrypted)"
  ;;
*"create secret"*)
  if [ -e key-works ] && grep -q kms encryption.yaml; then echo 1 >> encrypted; fi
  ;;
*"replace"*)
  cat > replaced
  ;;
*"get secrets"*)
  echo '{"items":[]}'
  ;;
esac
`;

describe('the script that switches the encryption of secrets on', () => {
  let folder = '';
  let plugin: Server;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'encrypt-secrets-'));
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'state'));
    writeFileSync(join(folder, 'bin/k3s'), k3s, { mode: 0o755 });
    writeFileSync(join(folder, 'script'), contentOf('/usr/local/lib/gateway/encrypt-secrets'), {
      mode: 0o755,
    });
    for (const name of ['encryption.yaml', 'encryption-kms.yaml']) {
      writeFileSync(join(folder, name), contentOf(`/etc/kubernetes/${name}`));
    }
    plugin = createServer().listen(join(folder, 'kms.sock'));
    await once(plugin, 'listening');
  });

  afterEach(async () => {
    if (plugin.listening) await stopPlugin();
    rmSync(folder, { recursive: true });
  });

  /** Closing removes the socket. */
  async function stopPlugin(): Promise<void> {
    plugin.close();
    await once(plugin, 'close');
  }

  function run(): number | null {
    const env = {
      PATH: `${folder}/bin:${process.env.PATH}`,
      STATE_DIRECTORY: 'state',
      ENCRYPTION_CONFIG: 'encryption.yaml',
      KMS_SOCKET: 'kms.sock',
      ENCRYPT_ATTEMPTS: '3',
      ENCRYPT_PAUSE: '0',
    };
    return spawnSync(join(folder, 'script'), { cwd: folder, env, encoding: 'utf8' }).status;
  }

  function read(name: string): string {
    return readFileSync(join(folder, name), 'utf8');
  }

  it('rewrites the existing secrets once a new one is encrypted', () => {
    writeFileSync(join(folder, 'key-works'), '');

    assert.equal(run(), 0);

    assert.equal(read('encryption.yaml'), contentOf('/etc/kubernetes/encryption-kms.yaml'));
    assert.equal(read('replaced'), '{"items":[]}\n');
    assert.ok(existsSync(join(folder, 'state/done')));
  });

  it('restores the plain configuration if the key fails, and can retry', () => {
    assert.equal(run(), 1);

    assert.equal(read('encryption.yaml'), contentOf('/etc/kubernetes/encryption.yaml'));
    assert.ok(!existsSync(join(folder, 'state/done')));
    assert.ok(!existsSync(join(folder, 'replaced')));
    // For the job in the cluster, which shows the reason.
    assert.match(read('state/failure'), /^Secrets cannot be encrypted with the key/);

    writeFileSync(join(folder, 'key-works'), '');
    assert.equal(run(), 0);
    assert.ok(existsSync(join(folder, 'state/done')));
    assert.ok(!existsSync(join(folder, 'state/failure')));
  });

  it('changes nothing before the plugin listens', async () => {
    writeFileSync(join(folder, 'key-works'), '');
    await stopPlugin();

    assert.equal(run(), 1);

    assert.equal(read('encryption.yaml'), contentOf('/etc/kubernetes/encryption.yaml'));
    assert.ok(!existsSync(join(folder, 'calls')));
  });

  it('disables encryption if the API server is not ready after booting', () => {
    writeFileSync(join(folder, 'not-ready'), '');
    writeFileSync(join(folder, 'encryption-none.yaml'), contentOf('/etc/kubernetes/encryption.yaml'));
    writeFileSync(join(folder, 'encryption.yaml'), contentOf('/etc/kubernetes/encryption-kms.yaml'));

    assert.equal(run(), 1);

    assert.equal(read('encryption.yaml'), contentOf('/etc/kubernetes/encryption.yaml'));
  });

  it('continues after a loss of power between the configuration and the rewriting', () => {
    writeFileSync(join(folder, 'key-works'), '');
    writeFileSync(join(folder, 'encryption-none.yaml'), contentOf('/etc/kubernetes/encryption.yaml'));
    writeFileSync(join(folder, 'encryption.yaml'), contentOf('/etc/kubernetes/encryption-kms.yaml'));

    assert.equal(run(), 0);

    assert.equal(read('encryption-none.yaml'), contentOf('/etc/kubernetes/encryption.yaml'));
    assert.ok(existsSync(join(folder, 'replaced')));
  });
});
