import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '@gateway/platform';

/** Sections of the configuration file, with the keys of the file. */
export type Settings = Record<string, Record<string, unknown>>;

/** The service user of the gateway, which some endpoints require. */
export const withServiceUser = {
  service_user: { username: 'gateway', project_name: 'service' },
} satisfies Settings;

interface ConfigSource {
  redisUrl: string;
  keyPrefix: string;
  settings: Settings;
  sealingKeys?: string | undefined;
}

/** Tokens are validated once, even by a test that takes minutes on a slow machine. */
export const TOKEN_CACHE_SECONDS = 600;
const patientSession = { token_cache_seconds: TOKEN_CACHE_SECONDS };

const SEALING_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/** To read and check a configuration takes longer than many tests. */
const loaded = new Map<string, Config>();

/** The configuration that a process loads from a file with these settings. */
export function configOf(source: ConfigSource): Config {
  const { redisUrl, keyPrefix, settings, sealingKeys = SEALING_KEYS } = source;
  const name = JSON.stringify([redisUrl, settings, sealingKeys]);
  const config = loaded.get(name) ?? load(redisUrl, settings, sealingKeys);
  loaded.set(name, config);
  return { ...config, redis: { ...config.redis, keyPrefix } };
}

function load(redisUrl: string, settings: Settings, sealingKeys: string): Config {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-api-'));
  try {
    const path = join(folder, 'gateway.yaml');
    // JSON is YAML.
    writeFileSync(path, JSON.stringify({ ...settings, session: { ...patientSession, ...settings.session } }));
    return loadConfig({
      GATEWAY_CONFIG: path,
      GATEWAY_SEALING_KEYS: sealingKeys,
      // Used when the settings name a service user.
      GATEWAY_SERVICE_PASSWORD: 'service-secret',
      OS_AUTH_URL: 'http://127.0.0.1:5000/v3',
      REDIS_URL: redisUrl,
      HOST: settings.listen?.host === undefined ? '127.0.0.1' : undefined,
      PORT: '0',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
