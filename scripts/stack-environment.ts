import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from './server-process.ts';

/** The service user of the gateway in cloudsim and in the test cloud. */
export const demoServiceUser: Variables = {
  GATEWAY_SERVICE_USERNAME: 'gateway',
  GATEWAY_SERVICE_PASSWORD: 'gateway-secret',
  GATEWAY_SERVICE_PROJECT: 'service',
};

/** The nodes of lite clusters in cloudsim, whose API servers listen on addresses of this machine. */
export const demoLiteSettings: Variables = {
  GATEWAY_LITE_IMAGE: 'debian-12',
  GATEWAY_LITE_SERVER_FLAVOR: 'm1.small',
  GATEWAY_LITE_AGENT_FLAVOR: 'm1.tiny',
  GATEWAY_LITE_USE_REPORTED_ADDRESS: 'true',
  GATEWAY_LITE_NEVER_CONTACTED: '169.254.0.0/16',
};

/** The image and flavor of library builders in cloudsim. */
export const demoBuildSettings: Variables = {
  GATEWAY_BUILD_IMAGE: 'debian-12',
  GATEWAY_BUILD_FLAVOR: 'm1.small',
};

const settings =
  /^(?:(?:GATEWAY|CLOUDSIM|OS|OTEL|REDIS|CACHE_REDIS)_|(?:HOST|PORT|WORKER_PORT|WORKER_QUEUES|LOG_LEVEL|TLS_CERT_FILE|TLS_KEY_FILE)$)/;

/**
 * The memory settings of V8 and of the C library in api and worker, as in the Procfile and in the image; see
 * "Memory" in `docs/operations.md`.
 */
export const memoryOptions = {
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=512',
  MALLOC_ARENA_MAX: '1',
} satisfies Variables;

/** The variables of this process without gateway settings, so that the shell does not affect tests. */
export function environmentWithoutSettings(): Variables {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
}

/** In the format of `GATEWAY_SEALING_KEYS`. */
export function newSealingKeys(): string {
  return `dev:${randomBytes(32).toString('base64')}`;
}

/** Writes a configuration file into a new temporary folder. JSON is valid YAML. */
export function writeConfigFile(config: Record<string, unknown>): string {
  const file = join(mkdtempSync(join(tmpdir(), 'gateway-config-')), 'gateway.yaml');
  writeFileSync(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return file;
}
