import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadConfig } from '@gateway/platform';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';
import {
  demoBuildSettings,
  demoLiteSettings,
  demoServiceUser,
  memoryOptions,
} from '../scripts/stack-environment.ts';
import { simulatedLogins } from '../scripts/try-it.ts';
import { readPodTemplate } from './support/containers/manifest.ts';
import { root } from './support/source/workspaces.ts';

interface Service {
  command: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  ports?: string[];
  container_name?: string;
  stop_grace_period: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: unknown;
  depends_on?: Record<string, { condition: string }>;
}

interface DemoService extends Service {
  image: string;
  build?: { dockerfile: string };
  network_mode?: string;
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** The values of `${NAME:-default}` and `${NAME:?message}`, as compose fills them in. */
function interpolated(
  environment: Record<string, string>,
  variables: Record<string, string>,
): Record<string, string> {
  const value = (text: string) =>
    text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, operator: string, rest: string) => {
      const given = variables[name];
      assert.ok(given !== undefined || operator === '-', `${name} is required`);
      return given ?? rest;
    });
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, value(text)]));
}

describe('the deployment files', () => {
  const compose = read('docker-compose.yml');
  const { services, secrets } = parse(compose, { merge: true }) as {
    services: Record<'redis' | 'api' | 'worker', Service>;
    secrets: { 'sealing-keys': { file: string } };
  };

  it('start existing entry files', () => {
    const named = [
      'Procfile',
      'deploy/Dockerfile',
      'deploy/cloudsim.Dockerfile',
      'docker-compose.yml',
      'docker-compose.demo.yml',
    ].flatMap((file) => read(file).match(/(?:apps|deploy)\/[\w/-]+\.(?:ts|mjs)/g) ?? []);

    assert.ok(named.length >= 10);
    assert.deepEqual(
      named.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });

  it('have one version of Node.js, with which the tests run', () => {
    const pinned = (JSON.parse(read('package.json')) as { devDependencies: { node: string } }).devDependencies
      .node;
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version: string }>;
    };
    const images = ['deploy/Dockerfile', 'deploy/cloudsim.Dockerfile'].map(
      (file) => /^ARG NODE_IMAGE=(\S+)$/m.exec(read(file))?.[1] ?? '',
    );

    assert.equal(new Set(images).size, 1);
    const [, tag] = /^node:([\d.]+)-bookworm-slim@sha256:[0-9a-f]{64}$/.exec(images[0] ?? '') ?? [];
    assert.equal(tag, pinned);
    assert.equal(packages['node_modules/node']?.version, pinned);
    assert.equal(process.versions.node, pinned);
  });

  it('have the same memory settings everywhere', () => {
    const { NODE_OPTIONS: options, MALLOC_ARENA_MAX: arenas } = memoryOptions;

    assert.ok(
      read('deploy/Dockerfile').includes(`ENV NODE_OPTIONS="${options}" MALLOC_ARENA_MAX=${arenas}\n`),
    );
    for (const line of read('Procfile').trim().split('\n')) {
      assert.ok(line.includes(` NODE_OPTIONS='${options}' MALLOC_ARENA_MAX=${arenas} `), line);
    }
  });

  it('conform to the schema of compose files', () => {
    // The api is for other machines, so its port is published on all interfaces.
    const linter = new DCLinter({
      rules: { 'no-unbound-port-interfaces': 0 },
      quiet: true,
      debug: false,
      exclude: [],
    });

    // The package's declarations cannot be found.
    const found: { messages: { type: string }[] }[] = linter.lintFiles(
      ['docker-compose.yml', 'docker-compose.demo.yml'].map((file) => join(root, file)),
      false,
    );

    const errors = found.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'));
    assert.deepEqual(errors, []);
  });

  it('start each role with the same command everywhere', () => {
    for (const role of ['api', 'worker'] as const) {
      assert.deepEqual(services[role].command, readPodTemplate(role).containers[0].command);
      assert.match(read('Procfile'), new RegExp(`^${role}: .*${services[role].command.join(' ')}$`, 'm'));
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

  it('start with sealing keys that the documented command makes once', () => {
    const [, command = ''] = /^# {3}(mkdir .*)$/m.exec(compose) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    try {
      const make = () => spawnSync('sh', ['-c', command], { cwd: folder }).status;
      assert.equal(make(), 0);
      const file = join(folder, secrets['sealing-keys'].file);
      const keys = readFileSync(file, 'utf8');
      assert.notEqual(make(), 0);

      assert.equal(readFileSync(file, 'utf8'), keys);
      // The containers' user reads the file, which other users of the machine do not reach.
      assert.equal(statSync(file).mode & 0o777, 0o644);
      assert.equal(statSync(dirname(file)).mode & 0o777, 0o700);
      for (const { environment = {}, secrets: mounted } of [services.api, services.worker]) {
        assert.deepEqual(mounted, ['sealing-keys']);
        assert.equal(environment.GATEWAY_SEALING_KEYS_FILE, '/run/secrets/sealing-keys');
        const config = loadConfig({
          ...interpolated(environment, { OS_AUTH_URL: 'https://identity.example.org/v3' }),
          GATEWAY_SEALING_KEYS_FILE: file,
        });
        assert.equal(config.secrets.sealingKeys[0]?.id, 'main');
        assert.equal(config.redis.url, 'redis://redis:6379');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keep the sealing keys out of the repository and the image', () => {
    for (const file of ['.gitignore', '.dockerignore']) assert.match(read(file), /^\/?secrets\/?$/m, file);
  });

  it('contain no secret', () => {
    for (const role of [services.api, services.worker]) {
      assert.equal(role.environment?.GATEWAY_SEALING_KEYS, undefined);
      assert.equal(
        role.environment?.GATEWAY_SERVICE_PASSWORD,
        ['$', '{GATEWAY_SERVICE_PASSWORD:-}'].join(''),
      );
    }
  });
});

describe('the compose file with a simulated cloud', () => {
  const demo = parse(read('docker-compose.demo.yml'), { merge: true }) as {
    services: Record<'redis' | 'cloud' | 'api' | 'worker', DemoService>;
  };
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<'redis' | 'api' | 'worker', DemoService>;
  };

  it('starts api and worker as the other compose file does', () => {
    for (const role of ['api', 'worker'] as const) {
      const keys = [
        'image',
        'build',
        'command',
        'read_only',
        'cap_drop',
        'security_opt',
        'stop_grace_period',
      ];
      for (const key of keys as (keyof DemoService)[])
        assert.deepEqual(demo.services[role][key], services[role][key], key);
    }
  });

  it('gives no container more privileges than it needs', () => {
    for (const service of Object.values(demo.services)) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    }
  });

  it('has the settings of npm start, which the processes accept', () => {
    for (const role of ['api', 'worker'] as const) {
      const { environment = {} } = demo.services[role];
      const config = loadConfig({ ...environment, HOST: '0.0.0.0' });

      assert.equal(config.identity.url, 'http://127.0.0.1:8100/identity/v3');
      for (const [name, value] of Object.entries({
        ...demoServiceUser,
        ...demoBuildSettings,
        ...demoLiteSettings,
      }))
        assert.equal(environment[name], value, name);
    }
  });

  it("shares the cloud's network, published on this machine only", () => {
    for (const role of ['api', 'worker'] as const) {
      assert.equal(demo.services[role].network_mode, 'service:cloud');
      for (const name of ['redis', 'cloud'] as const) {
        assert.equal(demo.services[role].depends_on?.[name]?.condition, 'service_healthy');
        assert.ok(demo.services[name].healthcheck);
      }
    }
    assert.deepEqual(
      Object.values(demo.services).flatMap(({ ports = [] }) => ports),
      ['127.0.0.1:8000:8000'],
    );
  });

  it('names users of the simulated cloud', () => {
    const text = read('docker-compose.demo.yml').replaceAll('\n# ', ' ');

    for (const { username, password } of Object.values(simulatedLogins))
      assert.ok(text.includes(`${username} with ${password}`), username);
  });
});
