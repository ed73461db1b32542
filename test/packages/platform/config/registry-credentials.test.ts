import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig, type RegistryCredential } from '@gateway/platform';
import { withFile } from './environment.ts';

const registries = [
  { name: 'docker.io', endpoint: 'https://mirror.example.org:5000/v2/hub' },
  { name: 'registry.k8s.io', endpoint: 'http://plain.example.org' },
];
const login = { host: 'mirror.example.org:5000', username: 'robot$nodes' };
const variable = 'GATEWAY_REGISTRY_PASSWORD';

function load(credentials: object[], environment: Record<string, string> = {}): RegistryCredential[] {
  const lite = { k3s: { registries, registry_credentials: credentials } };
  return withFile(JSON.stringify({ lite }), (found) => loadConfig({ ...found, ...environment })).secrets
    .registryCredentials;
}

function problemOf(credentials: object[], environment?: Record<string, string>): string {
  try {
    load(credentials, environment);
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.message;
  }
  throw new assert.AssertionError({ message: 'The credentials were accepted.' });
}

describe('the credentials of registries', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-registry-'));
    file = join(folder, 'password');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('have a password from a variable or a file', () => {
    writeFileSync(file, 'from the file\n');

    assert.deepEqual(load([{ ...login, password_variable: variable }], { [variable]: 'a"b\\' }), [
      { ...login, password: 'a"b\\' },
    ]);
    assert.deepEqual(load([{ ...login, password_file: file }]), [{ ...login, password: 'from the file' }]);
    assert.deepEqual(load([]), []);
  });

  it('must have either a variable or a file', () => {
    const sentence =
      'Configuration: "lite.k3s.registry_credentials[0]" must have either "password_file" or "password_variable".';

    assert.equal(problemOf([login]), sentence);
    assert.equal(problemOf([{ ...login, password_file: file, password_variable: variable }]), sentence);
  });

  it('must have a variable that is set, and no other secret', () => {
    assert.equal(
      problemOf([{ ...login, password_variable: variable }]),
      'Configuration: "lite.k3s.registry_credentials[0].password_variable" names a variable that is not set ' +
        '(GATEWAY_REGISTRY_PASSWORD).',
    );
    assert.match(
      problemOf([{ ...login, password_variable: 'GATEWAY_SEALING_KEYS' }]),
      /password_variable" must be the name of a variable that begins with GATEWAY_REGISTRY_ /,
    );
  });

  it('must have a file with one line, which is not shown', () => {
    assert.match(
      problemOf([{ ...login, password_file: file }]),
      /password_file" names a file that cannot be read \(.*\/password\)\.$/,
    );
    for (const text of ['', '\n', 'hush\nmore', 'hush\u0000']) {
      writeFileSync(file, text);

      const problem = problemOf([{ ...login, password_file: file }]);

      assert.match(problem, /password_file" names a file that does not have one line of text /);
      assert(!problem.includes('hush'), problem);
    }
  });

  it('are refused for hosts that are no mirror or have no TLS', () => {
    const environment = { [variable]: 'hush' };
    const further = { username: 'a', password_variable: variable };

    assert.equal(
      problemOf([{ host: 'mirror.example.org', ...further }], environment),
      'Configuration: "lite.k3s.registry_credentials[0].host" (mirror.example.org) must be the host of an ' +
        'endpoint in "lite.k3s.registries".',
    );
    assert.equal(
      problemOf([{ host: 'plain.example.org', ...further }], environment),
      'Configuration: "lite.k3s.registry_credentials[0].host" (plain.example.org) must have endpoints with ' +
        'https only, because the nodes send a password there.',
    );
  });

  it('are unique by host', () => {
    const entry = { ...login, password_variable: variable };

    assert.match(
      problemOf([entry, entry], { [variable]: 'hush' }),
      /"lite\.k3s\.registry_credentials\[1\]" has the host of an earlier one/,
    );
  });

  it('are not accepted in the file or in URLs', () => {
    const problem = problemOf([{ ...login, password: 'hush' }]);
    assert.match(problem, /"lite\.k3s\.registry_credentials\[0\]\.password" is not a known key/);
    assert(!problem.includes('hush'), problem);

    const lite = { k3s: { registries: [{ name: 'docker.io', endpoint: 'https://a:hush@mirror' }] } };
    assert.throws(
      () => withFile(JSON.stringify({ lite }), loadConfig),
      (error: Error) => error.message.includes('without user') && !error.message.includes('hush'),
    );
  });
});
