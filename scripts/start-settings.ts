import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mergeFiles, readConfigFiles, withSecretFiles } from '@gateway/platform';
import { projectRoot, type Variables } from './server-process.ts';
import { newSealingKeys } from './stack-environment.ts';

export interface StartSettings {
  ports: { api: number; worker: number; cloudsim: number; redis: number };
  /** Null when no cloud is configured: a cloud is then simulated. */
  identityUrl: string | null;
  /** Null when this command must start a Redis. */
  redisUrl: string | null;
  /** Whether the api serves the operators' page. */
  hasOperatorsPage: boolean;
  /** Variables of the processes in addition to this process's environment. */
  env: Variables;
}

/** Data that `npm start` keeps between runs; not in git. */
export const dataFolder = join(projectRoot, '.data');

const ONE_YEAR_SECONDS = '31536000';

/**
 * The settings of `npm start`: environment variables, then what GATEWAY_CONFIG names or `gateway.yaml` in the
 * project root, then defaults that simulate everything.
 * @throws when a port is invalid, or the file or one with a secret cannot be read
 */
export function readStartSettings(): StartSettings {
  const ownFile = join(projectRoot, 'gateway.yaml');
  const path = process.env.GATEWAY_CONFIG || (existsSync(ownFile) ? ownFile : undefined);
  const file = path === undefined ? {} : mergeFiles(readConfigFiles(path));
  const secrets = secretsInFiles();
  const identityUrl = process.env.OS_AUTH_URL || valueAt(file, 'identity', 'url');
  const hasOperatorsPage = (process.env.GATEWAY_OPS_ENABLED || valueAt(file, 'ops', 'enabled')) !== 'false';
  const redisUrl = process.env.REDIS_URL || secrets.REDIS_URL || valueAt(file, 'redis', 'url') || null;
  return {
    ports: {
      api: port('PORT', valueAt(file, 'listen', 'api_port') ?? 8000),
      worker: port('WORKER_PORT', valueAt(file, 'listen', 'worker_port') ?? 8001),
      cloudsim: port('CLOUDSIM_PORT', 8100),
      redis: 6390,
    },
    identityUrl: identityUrl || null,
    redisUrl,
    hasOperatorsPage,
    env: {
      ...(path === undefined ? {} : { GATEWAY_CONFIG: path }),
      GATEWAY_OPS_ENABLED: String(hasOperatorsPage),
      GATEWAY_CORS_LOCAL_ORIGINS: process.env.GATEWAY_CORS_LOCAL_ORIGINS || 'true',
      ...(process.env.GATEWAY_SEALING_KEYS || secrets.GATEWAY_SEALING_KEYS
        ? {}
        : { GATEWAY_SEALING_KEYS: developmentKeys() }),
      // The store and the simulated cloud are kept together, so neither is older than the other.
      ...(identityUrl || redisUrl ? {} : { GATEWAY_OLD_STORE_SECONDS: ONE_YEAR_SECONDS }),
      ...secrets,
    },
  };
}

/** The variables that differ in the environment with the secrets of files. */
function secretsInFiles(): Variables {
  const problems: string[] = [];
  const environment = withSecretFiles(process.env, problems);
  if (problems.length > 0) throw new Error(problems.join('; '));
  return Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== process.env[name]),
  );
}

function valueAt(tree: Record<string, unknown>, section: string, key: string): string | undefined {
  const below = tree[section];
  const value = (below as Record<string, unknown> | null | undefined)?.[key];
  return value === undefined || value === null ? undefined : String(value);
}

function port(variable: string, fallback: string | number): number {
  const text = process.env[variable] || String(fallback);
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new Error(`${variable} must be a port, 1 to 65535, and not ${text}`);
  }
  return number;
}

/** Generated once, so that encrypted data can be read after a restart. */
function developmentKeys(): string {
  const file = join(dataFolder, 'sealing-keys');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${newSealingKeys()}\n`, { mode: 0o600 });
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}
