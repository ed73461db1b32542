import assert from 'node:assert/strict';
import { readStartSettings } from '../../scripts/start-settings.ts';

describe('the settings of npm start', () => {
  const before = { ...process.env };
  afterEach(() => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, before);
  });

  function oldStoreSeconds(variables: Record<string, string>): string | undefined {
    const ownKeys = { GATEWAY_SEALING_KEYS: 'k1:'.padEnd(47, 'A') };
    const unset = { OS_AUTH_URL: '', REDIS_URL: '', GATEWAY_CONFIG: '' };
    Object.assign(process.env, unset, ownKeys, variables);
    return readStartSettings().env.GATEWAY_OLD_STORE_SECONDS;
  }

  it('allow pages of development servers on the same machine', () => {
    Object.assign(process.env, { GATEWAY_CONFIG: '', GATEWAY_SEALING_KEYS: 'k1:'.padEnd(47, 'A') });

    assert.equal(readStartSettings().env.GATEWAY_CORS_LOCAL_ORIGINS, 'true');
  });

  it('hold no store that is kept together with its simulated cloud', () => {
    assert.equal(oldStoreSeconds({}), '31536000');
  });

  for (const [name, url] of [
    ['OS_AUTH_URL', 'http://127.0.0.1:5000/v3'],
    ['REDIS_URL', 'redis://127.0.0.1:6379'],
  ] as const) {
    it(`leave it to the configuration with ${name}`, () => {
      assert.equal(oldStoreSeconds({ [name]: url }), undefined);
    });
  }
});
