import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '@gateway/platform';
import { compileCache } from '../../../../scripts/server-process.ts';
import { root } from '../../../support/source/workspaces.ts';
import { minimalEnvironment, withFile } from './environment.ts';

function messageOf(load: () => unknown): string[] {
  try {
    load();
  } catch (error) {
    assert(error instanceof ConfigError, String(error));
    return error.message.split('\n');
  }
  throw new assert.AssertionError({ message: 'The configuration was taken.' });
}

function messageOfFile(text: string): string[] {
  return withFile(text, (environment) =>
    messageOf(() => loadConfig(environment)).map((message) =>
      message.replace(`(in ${environment.GATEWAY_CONFIG})`, '(in the file)'),
    ),
  );
}

const IN_FILE = '(in the file).';

describe('loadConfig', () => {
  it('has defaults for all keys except identity and sealing keys', () => {
    const config = loadConfig(minimalEnvironment());

    assert.equal(config.identity.url, 'http://127.0.0.1:5000/v3');
    assert.equal(config.session.lengthSeconds, 3600);
    assert.equal(config.serviceUser, null);
    assert.equal(config.gateway.name, 'gateway');
    assert.deepEqual(config.secrets.sealingKeys, [{ id: 'k1', key: Buffer.alloc(32, 1) }]);
    assert(config.libraries.some(({ id }) => id === 'python311'));
  });

  it('reads the file, which the environment overrides', () => {
    const text =
      'listen: { api_port: 9000, worker_port: 9001 }\nhttp: { cors_origins: ["https://a.example"] }';

    const config = withFile(text, (environment) => loadConfig({ ...environment, PORT: '9100' }));

    const { host, apiPort, workerPort } = config.listen;
    assert.deepEqual([host, apiPort, workerPort], ['127.0.0.1', 9100, 9001]);
    assert.deepEqual(config.http.corsOrigins, ['https://a.example']);
  });

  it('accepts an empty file', () => {
    assert.deepEqual(withFile('# nothing\n', loadConfig), loadConfig(minimalEnvironment()));
  });

  it('treats an empty variable as not set', () => {
    assert.equal(loadConfig(minimalEnvironment({ REDIS_URL: '' })).redis.url, 'redis://127.0.0.1:6379');
  });

  it('uses the same Redis for the cache by default', () => {
    const one = loadConfig(minimalEnvironment({ REDIS_URL: 'rediss://store:6380/1' }));
    const two = loadConfig(minimalEnvironment({ CACHE_REDIS_URL: 'redis://cache:6379' }));

    assert.equal(one.redis.cacheUrl, 'rediss://store:6380/1');
    assert.equal(two.redis.cacheUrl, 'redis://cache:6379');
  });

  it('accepts a service user from the environment alone', () => {
    const config = loadConfig(
      minimalEnvironment({
        GATEWAY_SERVICE_USERNAME: 'gateway',
        GATEWAY_SERVICE_PROJECT: 'service',
        GATEWAY_SERVICE_PASSWORD: 'pw',
      }),
    );

    assert.deepEqual(config.serviceUser, {
      username: 'gateway',
      userDomain: 'Default',
      projectName: 'service',
      projectDomain: 'Default',
      checkSeconds: 120,
    });
    assert.equal(config.secrets.servicePassword, 'pw');
  });

  it('returns independent objects', () => {
    const first = loadConfig(minimalEnvironment());
    first.libraries[0]?.packages.push('more');
    first.http.corsOrigins.push('https://b.example');

    const second = loadConfig(minimalEnvironment());

    assert(!second.libraries[0]?.packages.includes('more'));
    assert.deepEqual(second.http.corsOrigins, []);
  });

  describe('rejects, with a message that names the key,', () => {
    it('a value out of range', () => {
      assert.deepEqual(messageOfFile('session: { length_seconds: 5, warning_seconds: 1 }'), [
        `Configuration: "session.length_seconds" must be greater than or equal to 60 ${IN_FILE}`,
      ]);
    });

    for (const [section, setting] of [
      ['time_limits', 'sync_create_seconds'],
      ['events', 'transition_seconds'],
      ['events', 'keep_seconds'],
      ['cache', 'transition_seconds'],
      ['http', 'heartbeat_seconds'],
    ] as const)
      it(`${section}.${setting} beyond the maximum of a timer`, () => {
        assert.deepEqual(messageOfFile(`${section}: { ${setting}: 2147484 }`), [
          `Configuration: "${section}.${setting}" must be less than or equal to 2000000 ${IN_FILE}`,
        ]);
      });

    it('an interval of polls beyond the maximum of a timer', () => {
      const intervals = Object.keys(loadConfig(minimalEnvironment()).events.intervalSeconds);
      assert.ok(intervals.includes('instances'));
      for (const name of intervals.map((each) =>
        each.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ))
        assert.deepEqual(messageOfFile(`events: { interval_seconds: { ${name}: 2147484 } }`), [
          `Configuration: "events.interval_seconds.${name}" must be less than or equal to 2000000 ${IN_FILE}`,
        ]);
    });

    it('a network of pods that overlaps with that of services', () => {
      assert.deepEqual(messageOfFile('lite: { pod_cidr: 10.40.0.0/14 }'), [
        'Configuration: "lite.pod_cidr" (10.40.0.0/14) and "lite.service_cidr" (10.43.0.0/16) must not overlap.',
      ]);
      assert.equal(messageOfFile('lite: { pod_cidr: "fd00::/56" }').length, 1);
    });

    it('the provider ovn without clients of node ports', () => {
      const lite = 'lite: { load_balancer_provider: ovn';
      assert.deepEqual(messageOfFile(`${lite} }`), [
        'Configuration: "lite.allowed_from.node_ports" must name the networks of the clients if "lite.load_balancer_provider" is ovn.',
      ]);
      const named = `${lite}, allowed_from: { node_ports: [192.0.2.0/24] } }`;
      withFile(named, (environment) => assert.doesNotThrow(() => loadConfig(environment)));
    });

    it('an unknown key', () => {
      assert.deepEqual(messageOfFile('session: { lenght_seconds: 600 }\nsesion: {}'), [
        `Configuration: "session.lenght_seconds" is not a known key ${IN_FILE}`,
        `Configuration: "sesion" is not a known key ${IN_FILE}`,
      ]);
    });

    it('a section of the wrong type', () => {
      assert.deepEqual(messageOfFile('redis: yes please'), [
        `Configuration: "redis" must contain keys and values ${IN_FILE}`,
      ]);
    });

    it('an invalid variable, by its name', () => {
      assert.deepEqual(
        messageOf(() => loadConfig(minimalEnvironment({ PORT: 'http' }))),
        ['Configuration: "listen.api_port" must be a number (from PORT).'],
      );
    });

    it('a missing identity service, along with all other problems', () => {
      assert.deepEqual(
        messageOf(() => loadConfig({ LOG_LEVEL: 'loud' })),
        [
          'Configuration: "identity.url" is required (set OS_AUTH_URL, or the key in the file named by GATEWAY_CONFIG).',
          'Configuration: "log.level" must be one of [error, warn, info, debug] (from LOG_LEVEL).',
          'Configuration: GATEWAY_SEALING_KEYS must be set, as id:key with a key of 32 bytes in base64.',
        ],
      );
    });

    it('contradictory session lengths, including defaults', () => {
      assert.deepEqual(messageOfFile('session: { length_seconds: 200 }'), [
        'Configuration: "session.warning_seconds" (300) must be less than "session.length_seconds" (200).',
      ]);
      assert.deepEqual(messageOfFile('session: { length_seconds: 20000 }'), [
        'Configuration: "session.absolute_seconds" (14400) must not be less than "session.length_seconds" (20000).',
      ]);
    });

    it('a name of the gateway that cannot be part of a query', () => {
      for (const name of ['a"b', '-a', 'a b', 'a'.repeat(64)]) {
        const [fault = '', ...further] = messageOf(() =>
          loadConfig(minimalEnvironment({ GATEWAY_NAME: name })),
        );
        assert.match(fault, /^Configuration: "gateway\.name" .* \(from GATEWAY_NAME\)\.$/);
        assert.deepEqual(further, []);
      }
    });

    it('sister gateways that are ambiguous or unreachable', () => {
      const sister = (url: string) => `{ name: North, region: RegionTwo, url: "${url}" }`;
      const sisters = (...urls: string[]) => `site: { sisters: [${urls.map(sister).join()}] }`;
      const own = 'public_endpoint: { url: "https://own.example" }\n';

      assert.deepEqual(messageOfFile(sisters('https://a.example', 'https://A.example/')), [
        'Configuration: "site.sisters[1].url" must not be that of "site.sisters[0]".',
      ]);
      assert.deepEqual(messageOfFile(own + sisters('https://own.example/')), [
        'Configuration: "site.sisters[0].url" must not be "public_endpoint.url", the URL of this gateway itself.',
      ]);
      assert.match(
        messageOfFile(sisters('a.example')).join(),
        /"site\.sisters\[0\]\.url" must be a valid uri/,
      );
      assert.deepEqual(messageOfFile('site: { sisters: [{ url: "https://a.example" }] }'), [
        `Configuration: "site.sisters[0].name" is required ${IN_FILE}`,
        `Configuration: "site.sisters[0].region" is required ${IN_FILE}`,
      ]);
    });

    it('a URL that is not of Redis, without showing its password', () => {
      const [fault = ''] = messageOf(() =>
        loadConfig(minimalEnvironment({ REDIS_URL: 'mysql://:hush@store' })),
      );

      assert.match(fault, /"redis\.url" must be .*\(from REDIS_URL\)\.$/);
      assert.doesNotMatch(fault, /hush/);
    });

    it('a missing file', () => {
      assert.deepEqual(
        messageOf(() => loadConfig(minimalEnvironment({ GATEWAY_CONFIG: '/nowhere/gateway.yaml' }))),
        ['Configuration: the file named by GATEWAY_CONFIG, /nowhere/gateway.yaml, cannot be read (ENOENT).'],
      );
    });

    it('a file that is not valid YAML', () => {
      const [fault = '', ...further] = messageOfFile('session: {\nsite: [');

      assert.match(
        fault,
        /^Configuration: the file named by GATEWAY_CONFIG, .*, is not valid YAML: .*\(line \d, /,
      );
      assert.deepEqual(further, []);
    });

    it('a file that is a list', () => {
      assert.match(messageOfFile('- session').join(), /must contain keys and values\.$/);
    });
  });

  it('accepts IPv6 addresses to listen on and in URLs', () => {
    const config = loadConfig(
      minimalEnvironment({
        HOST: '::',
        GATEWAY_PUBLIC_URL: 'https://[2001:db8::1]:8443',
        OS_AUTH_URL: 'http://[fd00::5]:5000/v3',
        REDIS_URL: 'redis://[fd00::6]:6379',
      }),
    );

    assert.equal(config.listen.host, '::');
    assert.equal(config.publicEndpoint.url, 'https://[2001:db8::1]:8443');
  });

  it('rejects a listener with a certificate but no key', () => {
    assert.deepEqual(messageOfFile('listen: { cert_file: /dev/null }'), [
      'Configuration: "listen.cert_file" and "listen.key_file" must be set together.',
    ]);
  });

  describe('with a file of certificate authorities for the cloud', () => {
    for (const [what, path, problem] of [
      ['that does not exist', '/nowhere/ca.pem', 'that cannot be read'],
      ['that is a folder', '/', 'that cannot be read'],
      ['without a certificate', '/dev/null', 'without a PEM certificate'],
    ] as const) {
      for (const app of ['api', 'worker'] as const) {
        it(`${what}, the ${app} says so in one sentence and exits with 78`, () => {
          const { status, stderr } = spawnSync(process.execPath, [join(root, `apps/${app}/src/main.ts`)], {
            env: { ...minimalEnvironment({ OS_CACERT: path }), NODE_COMPILE_CACHE: compileCache },
            encoding: 'utf8',
          });

          assert.equal(stderr, `Configuration: "identity.ca_file" names a file ${problem} (${path}).\n`);
          assert.equal(status, 78);
        });
      }
    }
  });

  it('makes a process print only the message and exit with 78', () => {
    const script = "import { loadConfigOrExit } from '@gateway/platform'; loadConfigOrExit();";

    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...minimalEnvironment({ OS_INTERFACE: 'private' }) },
      encoding: 'utf8',
    });

    assert.equal(
      stderr,
      'Configuration: "identity.interface" must be one of [public, internal, admin] (from OS_INTERFACE).\n',
    );
    assert.deepEqual({ status, stdout }, { status: 78, stdout: '' });
  });
});
