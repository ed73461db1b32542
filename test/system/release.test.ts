import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { currentVersion, writeVersion } from '../../scripts/release/version-files.ts';
import { type CopiedTree, copyTree } from '../scripts/copied-tree.ts';
import { listenLocally, portOf, stopListening } from '../support/doubles/local-server.ts';

const VERSION = '7.8.9';
const ADVISORY = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'A severe vulnerability',
  severity: 'high',
  vulnerable_versions: '*',
  cwe: [],
  cvss: { score: 8, vectorString: null },
};

describe('the release command', function () {
  this.timeout(240_000);
  let tree: CopiedTree;
  let registry: Server;
  /** By package. */
  let advisories: Record<string, object[]>;
  let answersAudits: boolean;

  before(async () => {
    tree = copyTree();
    registry = createServer((request, response) => {
      const isAudit = answersAudits && request.url?.endsWith('/advisories/bulk');
      response.writeHead(isAudit ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isAudit ? advisories : {}));
    });
    await listenLocally(registry);
  });

  beforeEach(() => {
    advisories = {};
    answersAudits = true;
  });

  afterEach(() => {
    tree.git('reset', '--hard', '--quiet', 'main');
    tree.git('clean', '--force', '--quiet');
  });

  after(async () => {
    if (registry) await stopListening(registry);
    tree?.remove();
  });

  async function runScript(script: string, ...args: string[]) {
    const port = portOf(registry);
    const child = spawn('sh', ['scripts/run.sh', `scripts/${script}/main.ts`, ...args], {
      cwd: tree.folder,
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        // npm stores advisories.
        npm_config_cache: join(tree.folder, '.cache/npm'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    return { code: code as number, output, errors };
  }

  const release = (...args: string[]) => runScript('release', ...args);

  function read(file: string): string {
    return readFileSync(join(tree.folder, file), 'utf8');
  }

  function entriesOf(archive: string): string[] {
    const file = join(tree.folder, 'release', archive);
    return execFileSync('tar', ['--list', '--gzip', '--file', file], { encoding: 'utf8' }).trim().split('\n');
  }

  function fileIn(archive: string, path: string): string {
    const file = join(tree.folder, 'release', archive);
    return execFileSync('tar', ['--extract', '--gzip', '--to-stdout', '--file', file, path], {
      encoding: 'utf8',
    });
  }

  it('builds all files in a dry run, and changes nothing', async () => {
    const commit = tree.git('rev-parse', 'HEAD');

    const { code, output, errors } = await release('--dry-run', VERSION);

    assert.equal(code, 0, errors);
    const source = `cloud-resource-gateway-${VERSION}`;
    const deploy = `cloud-resource-gateway-deploy-${VERSION}`;
    const client = `gateway-client-${VERSION}.tgz`;
    const cli = `gateway-cli-${VERSION}.tgz`;
    const python = `cloud_gateway_client-${VERSION}`;
    const chart = `cloud-resource-gateway-chart-${VERSION}.tgz`;
    const files = [
      `${source}.cdx.json`,
      `${source}.tar.gz`,
      chart,
      `${deploy}.tar.gz`,
      `${python}.tar.gz`,
      cli,
      client,
    ];
    assert.deepEqual(readdirSync(join(tree.folder, 'release')).sort(), ['SHA256SUMS', ...files]);
    for (const file of files) assert.ok(output.includes(`release/${file}\n`), output);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(tree.folder, 'release') });
    assert.match(
      fileIn(`${source}.tar.gz`, `${source}/CHANGELOG.md`),
      /## Unreleased\n\n## 7\.8\.9 - \d{4}-/,
    );
    for (const file of ['package.json', 'apps/api/package.json', 'packages/client/package.json'])
      assert.equal(JSON.parse(fileIn(`${source}.tar.gz`, `${source}/${file}`)).version, VERSION);
    const lock = JSON.parse(fileIn(`${source}.tar.gz`, `${source}/package-lock.json`));
    assert.deepEqual([lock.version, lock.packages['apps/api'].version], [VERSION, VERSION]);
    const overlay = `${deploy}/deploy/kubernetes/overlays/example/kustomization.yaml`;
    assert.match(fileIn(`${deploy}.tar.gz`, overlay), /newTag: 7\.8\.9\n/);
    for (const path of ['deploy/Dockerfile', 'docker-compose.yml', 'deploy/prometheus/alerts.yaml'])
      assert.ok(entriesOf(`${deploy}.tar.gz`).includes(`${deploy}/${path}`), path);
    assert.match(
      fileIn(chart, 'cloud-resource-gateway/Chart.yaml'),
      /^version: 7\.8\.9\nappVersion: 7\.8\.9$/m,
    );
    assert.ok(entriesOf(chart).includes('cloud-resource-gateway/templates/api.yaml'));
    assert.match(fileIn(`${python}.tar.gz`, `${python}/pyproject.toml`), /^version = "7\.8\.9"$/m);
    for (const path of ['LICENSE', 'README.md', 'src/gateway_client/api.py', 'src/gateway_client/py.typed'])
      assert.ok(entriesOf(`${python}.tar.gz`).includes(`${python}/${path}`), path);
    assert.equal(JSON.parse(fileIn(client, 'package/package.json')).version, VERSION);
    assert.ok(entriesOf(client).includes('package/dist/index.js'));
    assert.equal(JSON.parse(fileIn(cli, 'package/package.json')).version, VERSION);
    for (const path of ['package/dist/main.js', 'package/LICENSE', 'package/README.md'])
      assert.ok(entriesOf(cli).includes(path), path);
    assert.deepEqual(
      [tree.git('rev-parse', 'HEAD'), tree.git('status', '--porcelain'), tree.git('tag')],
      [commit, '', ''],
    );
  });

  it('lists what the image installs, without paths or registries', () => {
    const bill = read(`release/cloud-resource-gateway-${VERSION}.cdx.json`);
    const { components, metadata } = JSON.parse(bill) as {
      components: { name: string }[];
      metadata: { component: { name: string; version: string } };
    };
    const names = components.map(({ name }) => name);
    assert.deepEqual(
      ['express', 'bullmq', 'ioredis', 'mocha', 'typescript'].map((name) => names.includes(name)),
      [true, true, true, false, false],
    );
    assert.deepEqual(
      [metadata.component.name, metadata.component.version],
      ['cloud-resource-gateway', VERSION],
    );
    for (const file of readdirSync(join(tree.folder, 'release')).filter((name) => /z$/.test(name))) {
      const content = gunzipSync(readFileSync(join(tree.folder, 'release', file))).toString('latin1');
      assert.ok(!content.includes(tree.folder), `${file} contains a path of this machine`);
    }
    const port = portOf(registry);
    assert.ok(!bill.includes(tree.folder) && !bill.includes(`127.0.0.1:${port}`));
  });

  it('finds one version in all files that name it', () => {
    writeVersion(tree.folder, currentVersion(tree.folder));

    assert.equal(tree.git('status', '--porcelain'), '');
  });

  it('commits and tags a release', async () => {
    const before = tree.git('rev-parse', 'HEAD');
    try {
      const { code, errors } = await release(VERSION);

      assert.equal(code, 0, errors);
      assert.equal(tree.git('rev-parse', 'HEAD~1'), before);
      assert.equal(tree.git('log', '-1', '--format=%s'), `Release ${VERSION}`);
      assert.equal(tree.git('cat-file', '-t', `v${VERSION}`), 'tag');
      assert.equal(tree.git('rev-parse', `v${VERSION}^{commit}`), tree.git('rev-parse', 'HEAD'));
      assert.match((await release(VERSION)).errors, /^The tag v7\.8\.9 exists already\.$/m);
    } finally {
      tree.git('reset', '--hard', '--quiet', before);
      tree.git('tag', '--delete', `v${VERSION}`);
    }
  });

  it('refuses an unusable version or tree', async () => {
    assert.match((await release('1.2')).errors, /^usage: /);
    assert.match((await release('0.0.9')).errors, /^0\.0\.9 is older than /);
    appendFileSync(join(tree.folder, 'README.md'), 'changed\n');
    assert.match((await release(VERSION)).errors, /^The tree has changes that are not committed\.$/m);
  });

  it('leaves nothing behind when a step fails', async () => {
    const text = read('CHANGELOG.md');
    writeFileSync(
      join(tree.folder, 'CHANGELOG.md'),
      text.replace('## Unreleased', '## Unreleased\n\n## 0.0.1'),
    );
    tree.git('commit', '--all', '--quiet', '--message', 'Empty');
    try {
      const { code, errors } = await release(VERSION);

      assert.deepEqual([code, errors.trim()], [1, 'CHANGELOG.md has no unreleased changes.']);
      assert.deepEqual([tree.git('status', '--porcelain'), tree.git('tag')], ['', '']);
      assert.ok(!existsSync(join(tree.folder, 'release')));
    } finally {
      tree.git('reset', '--hard', '--quiet', 'HEAD~1');
    }
  });

  describe('of vulnerable packages', () => {
    const exceptions = 'scripts/audit/audit-exceptions.yaml';
    const accept = (until: string) =>
      writeFileSync(
        join(tree.folder, exceptions),
        `exceptions:\n  - { id: GHSA-aaaa-bbbb-cccc, reason: a test, until: '${until}' }\n`,
      );

    it('names them, and makes no release', async () => {
      advisories = { express: [ADVISORY] };

      for (const { code, errors } of [await runScript('audit'), await release('--dry-run', VERSION)]) {
        assert.equal(code, 1);
        assert.match(errors, /^express: A severe vulnerability \(high, GHSA-aaaa-bbbb-cccc\)$/m);
      }
    });

    it('accepts listed ones until their last day', async () => {
      advisories = { express: [ADVISORY] };
      accept('2999-01-01');
      assert.equal((await runScript('audit')).code, 0);
      accept('2020-01-01');
      assert.equal((await runScript('audit')).code, 1);
    });

    it('does not mind minor ones', async () => {
      advisories = { express: [{ ...ADVISORY, id: 2, severity: 'moderate' }] };

      const { code, output } = await runScript('audit');

      assert.deepEqual([code, output], [0, 'No locked package is known to be vulnerable.\n']);
    });

    it('says that the registry does not answer', async () => {
      answersAudits = false;

      const checked = await runScript('audit');
      const refused = await release(VERSION);

      assert.equal(checked.code, 0);
      assert.match(checked.errors, /^SKIPPED: The package registry does not say/m);
      assert.match(refused.errors, /A release needs the answer\.$/m);
      assert.equal(refused.code, 1);
    });
  });
});
