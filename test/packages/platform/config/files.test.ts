import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@gateway/platform';
import { minimalEnvironment } from './environment.ts';

describe('loadConfig with a folder in GATEWAY_CONFIG', () => {
  let folder: string;
  let environment: ReturnType<typeof minimalEnvironment>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-config-'));
    environment = minimalEnvironment({ GATEWAY_CONFIG: folder });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(name: string, text: string): void {
    writeFileSync(join(folder, name), text);
  }

  function assertRefused(...sentences: string[]): void {
    assert.throws(() => loadConfig(environment), {
      message: sentences.map((sentence) => `Configuration: ${sentence}.`).join('\n'),
    });
  }

  it('merges keys of its files by name, and replaces lists', () => {
    write('20-site.yaml', 'http: { cors_origins: ["https://b.example"], heartbeat_seconds: 5 }');
    write('10-base.yaml', 'http: { trusted_proxies: [uniquelocal], cors_origins: ["https://a.example"] }');
    write('30-further.json', '{ "listen": { "api_port": 9000 }, "http": { "heartbeat_seconds": 7 } }');

    const { http, listen } = loadConfig(environment);

    assert.deepEqual(http.trustedProxies, ['uniquelocal']);
    assert.deepEqual(http.corsOrigins, ['https://b.example']);
    assert.equal(http.heartbeatSeconds, 7);
    assert.equal(listen.apiPort, 9000);
  });

  it('refuses an alias without its anchor, as an unquoted asterisk is', () => {
    write('site.yaml', 'http: { cors_origins: *.example.org }');

    assertRefused(
      `a file in the folder named by GATEWAY_CONFIG, ${join(folder, 'site.yaml')}, is not valid YAML: Unresolved alias (the anchor must be set before the alias): .example.org`,
    );
  });

  it('lets a later file unset what an earlier one sets', () => {
    write('10-base.yaml', 'service_user: { username: gateway, project: service }');
    write('20-site.yaml', 'service_user: null');

    assert.equal(loadConfig(environment).serviceUser, null);
  });

  it('accepts an empty file, and none of the hidden or other ones', () => {
    write('empty.yaml', '# nothing\n');
    write('notes.txt', 'listen: { api_port: 1 }');
    write('.hidden.yaml', 'listen: { api_port: 2 }');
    mkdirSync(join(folder, '..data'));

    assert.deepEqual(loadConfig(environment), loadConfig(minimalEnvironment()));
  });

  it('follows links, which the files of a mounted ConfigMap are', () => {
    mkdirSync(join(folder, '..data'));
    write('..data/site.yaml', 'listen: { api_port: 9000 }');
    symlinkSync('..data/site.yaml', join(folder, 'site.yaml'));

    assert.equal(loadConfig(environment).listen.apiPort, 9000);
  });

  it('names the file of each problem', () => {
    write('10-base.yaml', 'sesion: {}\nlisten: { api_port: http }\nsite: { sisters: [{ name: a }] }');
    write('20-site.yaml', 'listen: { worker_port: none }\nhttp: []');

    const [base, site] = ['10-base.yaml', '20-site.yaml'].map((name) => join(folder, name));
    assertRefused(
      `"listen.api_port" must be a number (in ${base})`,
      `"listen.worker_port" must be a number (in ${site})`,
      `"http" must contain keys and values (in ${site})`,
      `"site.sisters[0].region" is required (in ${base})`,
      `"site.sisters[0].url" is required (in ${base})`,
      `"sesion" is not a known key (in ${base})`,
    );
  });

  it('refuses a folder without a file of settings', () => {
    write('notes.txt', '');

    assertRefused(`the folder named by GATEWAY_CONFIG, ${folder}, has no file that ends with .yaml`);
  });

  it('refuses a file that cannot be read, or is not valid', () => {
    mkdirSync(join(folder, 'site.yaml'));
    const file = `a file in the folder named by GATEWAY_CONFIG, ${join(folder, 'site.yaml')},`;
    assertRefused(`${file} cannot be read (EISDIR)`);

    rmSync(join(folder, 'site.yaml'), { recursive: true });
    write('site.yaml', '- session');
    assertRefused(`${file} must contain keys and values`);
  });
});
