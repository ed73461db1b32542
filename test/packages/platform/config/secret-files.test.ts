import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, type Environment, loadConfig } from '@gateway/platform';
import { minimalEnvironment } from './environment.ts';

describe('secrets in files', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  function fileWith(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }

  function refuses(environment: Environment, problem: string): void {
    assert.throws(() => loadConfig(minimalEnvironment(environment)), new ConfigError([problem]));
  }

  it('replace their variables, without the line break at the end', () => {
    const key = Buffer.alloc(32, 9);
    const { redis, secrets, upstream } = loadConfig(
      minimalEnvironment({
        GATEWAY_SEALING_KEYS: '',
        GATEWAY_SEALING_KEYS_FILE: fileWith('keys', `k9:${key.toString('base64')}\n`),
        GATEWAY_SERVICE_PASSWORD_FILE: fileWith('password', 'hush hush\r\n'),
        GATEWAY_UPSTREAM_PROXY_FILE: fileWith('proxy', 'http://gateway:hush@proxy:3128\n'),
        REDIS_URL_FILE: fileWith('redis', 'redis://gateway:hush@store:6379/1'),
        REDIS_SENTINEL_PASSWORD_FILE: fileWith('sentinel', 'sentinel-hush\n'),
        CACHE_REDIS_URL_FILE: fileWith('cache', 'redis://:hush@cache:6379\n'),
        AUDIT_STREAM_TOKEN_FILE: fileWith('audit', 'audit-hush\n'),
        OTEL_EXPORTER_OTLP_HEADERS_FILE: fileWith('headers', 'authorization=hush\n'),
      }),
    );

    assert.deepEqual(secrets, {
      sealingKeys: [{ id: 'k9', key }],
      servicePassword: 'hush hush',
      sentinelPassword: 'sentinel-hush',
      auditStreamToken: 'audit-hush',
      traceHeaders: 'authorization=hush',
      registryCredentials: [],
    });
    assert.equal(upstream.proxy, 'http://gateway:hush@proxy:3128');
    assert.deepEqual(
      [redis.url, redis.cacheUrl],
      ['redis://gateway:hush@store:6379/1', 'redis://:hush@cache:6379'],
    );
  });

  it('are refused beside the variable itself', () => {
    refuses(
      { GATEWAY_SEALING_KEYS_FILE: fileWith('keys', 'k1:hush') },
      'GATEWAY_SEALING_KEYS and GATEWAY_SEALING_KEYS_FILE cannot both be set',
    );
  });

  it('are refused if the file is missing, a folder, or empty', () => {
    const variable = 'GATEWAY_SERVICE_PASSWORD_FILE';
    for (const path of [join(folder, 'none'), folder]) {
      refuses({ [variable]: path }, `${variable} names a file that cannot be read (${path})`);
    }
    const empty = fileWith('empty', '\n');
    refuses({ [variable]: empty }, `${variable} names a file that is empty (${empty})`);
  });

  it('are not shown if they are invalid', () => {
    const load = () =>
      loadConfig(minimalEnvironment({ REDIS_URL_FILE: fileWith('redis', 'http://user:hush@x') }));

    assert.throws(load, ({ message }: Error) => message.includes('redis.url') && !message.includes('hush'));
  });
});
