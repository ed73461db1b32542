import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { projectRoot } from '../../../scripts/server-process.ts';
import {
  environmentWithoutSettings,
  newSealingKeys,
  writeConfigFile,
} from '../../../scripts/stack-environment.ts';
import { freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';

describe('the commands of operators', function () {
  this.timeout(180_000);
  const env = {
    ...environmentWithoutSettings(),
    GATEWAY_SEALING_KEYS: newSealingKeys(),
    REDIS_URL: testRedisUrl(),
    GATEWAY_CONFIG: writeConfigFile({ redis: { key_prefix: freshKeyPrefix('commands') } }),
    OS_AUTH_URL: 'http://127.0.0.1:9/v3',
  };

  function run(folder: string, words: string[], input = ''): SpawnSyncReturns<string> {
    const args = [`apps/worker/src/${folder}/main.ts`, ...words];
    return spawnSync(process.execPath, args, { cwd: projectRoot, env, input, encoding: 'utf8' });
  }

  it('export to the standard output, and import from the standard input', () => {
    const exported = run('transfer', ['export', '-', '--receiver-keys', '-'], env.GATEWAY_SEALING_KEYS);
    assert.equal(JSON.parse(exported.stdout).version, 1, exported.stderr);
    assert.match(exported.stderr, /^auto backups: 0\nlite clusters: 0\n/);

    const imported = run('transfer', ['import', '-'], exported.stdout);
    assert.deepEqual([imported.status, imported.stderr], [0, '']);
    assert.match(imported.stdout, /^auto backups: 0 created/);
  });

  it('erase a user whose id a directory has', () => {
    const { status, stdout, stderr } = run('erase', ['jo']);

    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^erased-[0-9a-f]{8} stands for the user in 0 audit records/);
  });
});
