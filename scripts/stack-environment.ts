import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from './server-process.ts';

/** The gateway's own user in cloudsim and in the test cloud. */
export const demoServiceUser: Variables = {
  GATEWAY_SERVICE_USERNAME: 'gateway',
  GATEWAY_SERVICE_PASSWORD: 'gateway-secret',
  GATEWAY_SERVICE_PROJECT: 'service',
};

/** Of what cloudsim has, the builders of libraries are made. */
export const demoBuilds: Variables = {
  GATEWAY_BUILD_IMAGE: 'debian-12',
  GATEWAY_BUILD_FLAVOR: 'm1.small',
};

const settings =
  /^(?:(?:GATEWAY|CLOUDSIM|OS|REDIS|CACHE_REDIS)_|(?:HOST|PORT|WORKER_PORT|WORKER_QUEUES|LOG_LEVEL)$)/;

/** This process's variables without those that configure the gateway: what a shell has set decides no test. */
export function environmentWithoutSettings(): Variables {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
}

/** As `GATEWAY_SEALING_KEYS` wants it. */
export function newSealingKeys(): string {
  return `dev:${randomBytes(32).toString('base64')}`;
}

/** A configuration file in a temporary folder of its own; JSON is YAML. */
export function writeConfigFile(config: Record<string, unknown>): string {
  const file = join(mkdtempSync(join(tmpdir(), 'gateway-config-')), 'gateway.yaml');
  writeFileSync(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return file;
}
