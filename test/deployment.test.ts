import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@gateway/config';
import { parse } from 'yaml';
import { memoryOptions } from '../scripts/stack-environment.ts';
import { root } from './support/source/workspaces.ts';

interface Service {
  command: string[];
  environment?: Record<string, string>;
  ports?: string[];
  container_name?: string;
  stop_grace_period: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: unknown;
  depends_on?: Record<string, { condition: string }>;
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

describe('the deployment files', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<'redis' | 'api' | 'worker', Service>;
  };

  it('start existing entry files', () => {
    const named = ['Procfile', 'deploy/Dockerfile', 'docker-compose.yml'].flatMap(
      (file) => read(file).match(/(?:apps|deploy)\/[\w/-]+\.(?:ts|mjs)/g) ?? [],
    );

    assert.ok(named.length >= 6);
    assert.deepEqual(
      named.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });

  it('give V8 the same options everywhere', () => {
    const options = memoryOptions.NODE_OPTIONS ?? '';

    assert.ok(read('deploy/Dockerfile').includes(`ENV NODE_OPTIONS="${options}"`));
    for (const line of read('Procfile').trim().split('\n')) {
      assert.ok(line.includes(`NODE_OPTIONS='${options}'`), line);
    }
  });

  it('let workers scale: they bind nothing on the host', () => {
    assert.equal(services.worker.ports, undefined);
    assert.equal(services.worker.container_name, undefined);
    assert.equal(services.api.container_name, undefined);
  });

  it('persist every write of Redis and evict nothing', () => {
    const command = services.redis.command.join(' ');

    assert.match(command, /--appendonly yes/);
    assert.match(command, /--maxmemory-policy noeviction/);
  });

  it('give no container more privileges than it needs', () => {
    for (const service of Object.values(services)) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    }
  });

  it('start the gateway once Redis is healthy, and wait for its shutdown', () => {
    const { timeLimits } = loadConfig({
      OS_AUTH_URL: 'http://127.0.0.1/v3',
      GATEWAY_SEALING_KEYS: `id:${Buffer.alloc(32).toString('base64')}`,
    });

    assert.ok(services.redis.healthcheck);
    for (const role of [services.api, services.worker]) {
      assert.equal(role.depends_on?.redis?.condition, 'service_healthy');
      assert.ok(Number.parseInt(role.stop_grace_period, 10) > timeLimits.shutdownSeconds + 5);
    }
  });

  it('contain no secret', () => {
    for (const role of [services.api, services.worker]) {
      assert.match(role.environment?.GATEWAY_SEALING_KEYS ?? '', /^\$\{GATEWAY_SEALING_KEYS:\?/);
      assert.equal(
        role.environment?.GATEWAY_SERVICE_PASSWORD,
        ['$', '{GATEWAY_SERVICE_PASSWORD:-}'].join(''),
      );
    }
  });
});
