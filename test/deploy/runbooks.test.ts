import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { SECRETS } from '../../packages/platform/src/config/secrets.ts';
import { flatEntries } from '../../packages/platform/src/config/settings/entries.ts';
import { root } from '../support/source/workspaces.ts';
import { alertRules, readText } from './deploy-files.ts';
import { allMetrics } from './exposed-metrics.ts';

/** What each section says, in this order. */
const PARTS = ['**Users**', '**Check**', '**Do**', '**Do not**'];

/** Paths that are no endpoints: pages, one of Prometheus, what a worker serves, and a folder of instances. */
const OTHER_PATHS = [
  '/ops',
  '/ops/health',
  '/ops/jobs',
  '/ops/queues',
  '/api/docs/runbooks',
  '/targets',
  '/health',
  '/workspace',
];

/** Variables that others read: V8, the C library, the files of containers. */
const OTHER_VARIABLES = ['NODE_OPTIONS', 'MALLOC_ARENA_MAX', 'REDIS_MAXMEMORY'];

const document = readText('docs/runbooks.md');

/** The sections by their heading. */
function sections(): Map<string, string> {
  const [, ...found] = document.split(/^## /m);
  return new Map(found.map((text) => [text.split('\n', 1)[0] ?? '', text]));
}

/** What the text has as code: within lines, and in blocks. */
function codes(): string[] {
  const blocks = [...document.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const prose = document.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...blocks, ...[...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)];
}

/** As on the pages of the repository, and of the gateway. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

function headingsOf(file: string): string[] {
  return [...readText(`docs/${file}`).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slugOf(heading));
}

function found(pattern: RegExp): string[] {
  return [...new Set(codes().flatMap((code) => [...code.matchAll(pattern)].map(([, name = '']) => name)))];
}

describe('the runbooks', () => {
  it('have one section for each alert, in the order of the rules', () => {
    assert.deepEqual(
      [...sections().keys()],
      alertRules().map(({ alert }) => alert),
    );
  });

  for (const { alert, annotations } of alertRules()) {
    it(`${alert} links to its section, which is complete`, () => {
      const { pathname, hash } = new URL(annotations.runbook_url);

      assert.equal(pathname, '/api/docs/runbooks');
      assert.equal(hash, `#${slugOf(alert)}`);
      const places = PARTS.map((part) => sections().get(alert)?.indexOf(part) ?? -1);
      assert.ok(places[0] !== -1, PARTS[0]);
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
        String(PARTS),
      );
    });
  }

  it('name only metrics that processes expose', async () => {
    const exposed = [...(await allMetrics()).keys()];
    // A histogram is named without its parts.
    const known = new Set(exposed.flatMap((name) => [name, name.replace(/_(?:bucket|sum|count)$/, '')]));
    const named = found(/\b((?:gateway|process|nodejs)_[a-z_0-9]+)/g);

    assert.ok(named.length > 20);
    // The shell function takes the beginning of a name.
    assert.deepEqual(
      named.filter((name) => !known.has(name) && !exposed.some((each) => each.startsWith(`${name}_`))),
      [],
    );
  });

  it('name only settings and variables that exist', () => {
    const entries = flatEntries();
    const paths = new Set(entries.map(({ path }) => path.join('.')));
    const sectionNames = new Set([...paths].map((path) => path.split('.')[0]));
    const settings = codes().filter((code) => /^[a-z_0-9]+(?:\.[a-z_0-9]+)+$/.test(code));
    const variables = new Set([
      ...Object.keys(SECRETS),
      ...entries.flatMap(({ variable }) => variable ?? []),
      ...OTHER_VARIABLES,
    ]);
    const named = codes()
      .filter((code) => /^[A-Z]+(?:_[A-Z]+)+$/.test(code))
      .map((name) => name.replace(/_FILE$/, ''));

    assert.ok(settings.length > 20 && named.length > 5);
    assert.deepEqual(
      settings.filter((path) => sectionNames.has(path.split('.')[0]) && !paths.has(path)),
      [],
    );
    assert.deepEqual(
      named.filter((name) => !variables.has(name) && !['UNREACHABLE', 'LOADING'].includes(name)),
      [],
    );
  });

  it('name only addresses that the gateway serves', () => {
    const served = endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, '*')}`);
    const inCommands = [...document.matchAll(/(\w+|\bcurl\b[^`\n]*?) "?\$api(\/[^\s"?`]*)/g)].map(
      ([, command = '', path = '']) => `${methodOf(command, path)} /api${path}`,
    );
    const unknown = inCommands.filter((call) => !served.some((each) => fits(call, each)));
    const others = found(/(?:^|\s)(\/[a-z][\w/]*)/g).filter((path) => !OTHER_PATHS.includes(path));

    assert.ok(inCommands.length > 15);
    assert.deepEqual([...unknown, ...others], []);
  });

  it('quote only log lines and messages that the code writes', () => {
    const sources = globSync('{apps,packages}/*/src/**/*.ts', { cwd: root })
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    const quoted = codes().filter((code) => /^[A-Z][a-z]* [a-z]/.test(code) && !code.includes('\n'));

    assert.ok(quoted.length > 15);
    assert.deepEqual(
      quoted.filter((line) => !sources.includes(line) && line !== 'JavaScript heap out of memory'),
      [],
    );
  });

  it('link to sections that exist', () => {
    const links = [...document.matchAll(/\]\(([\w-]+\.md)?#([^)]+)\)/g)];

    assert.ok(links.length > 20);
    for (const [link, file = 'runbooks.md', heading = ''] of links)
      assert.ok(headingsOf(file).includes(heading), link);
  });
});

/** The method of a shell function of the document, or of a call of curl. */
function methodOf(command: string, path: string): string {
  if (!/^curl\b/.test(command)) return command.toUpperCase();
  return path === '/auth/login' ? 'POST' : 'GET';
}

/** A placeholder, and an id of the example, stand for a parameter. */
function fits(call: string, endpoint: string): boolean {
  const [parts, pattern] = [call.split('/'), endpoint.split('/')];
  return parts.length === pattern.length && pattern.every((part, at) => part === '*' || part === parts[at]);
}
