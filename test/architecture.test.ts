import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileCycles, folderCycles } from './support/source/import-cycles.ts';
import { packageOf, readWorkspaces, root } from './support/source/workspaces.ts';

/** A module imports from the levels below its own. */
const levels: Record<string, number> = {
  core: 0,
  platform: 1,
  store: 1,
  openstack: 2,
  jobs: 2,
  cache: 2,
  'cloud-init': 2,
  // Resources read the metadata that libraries write to an instance.
  libraries: 2,
  'auto-backup': 3,
  inventory: 3,
  lite: 3,
  webhooks: 3,
  resources: 4,
  context: 4,
  activity: 5,
  api: 6,
  worker: 6,
  cloudsim: 6,
  // Published for dashboards. Here the command line, tests and scripts use it.
  client: 6,
  // Published for people at terminals.
  cli: 7,
};

/** Libraries that shape the code around them, and the workspaces that may import them. */
const allowedUsers: Record<string, string[]> = {
  express: ['api', 'cloudsim'],
  got: ['openstack'],
  bullmq: ['jobs', 'worker'],
  // The version that bullmq uses, so that both agree about due times.
  'cron-parser': ['auto-backup'],
  ioredis: ['store'],
  winston: ['platform'],
  'prom-client': ['platform'],
  '@opentelemetry/api': ['platform'],
  '@opentelemetry/sdk-trace': ['platform'],
  joi: ['platform', 'api'],
  zod: ['core', 'openstack'],
  commander: ['cli'],
  'ipaddr.js': ['webhooks'],
  standardwebhooks: ['webhooks'],
};

describe('the architecture', () => {
  const workspaces = readWorkspaces();

  it('assigns a level to every workspace', () => {
    const without = workspaces.filter(({ name }) => levels[name] === undefined);

    assert.deepEqual(
      without.map(({ folder }) => folder),
      [],
    );
  });

  it('imports only from lower levels', () => {
    const upwards = workspaces.flatMap(({ name, imports }) =>
      imports
        .filter(({ specifier }) => {
          const target = /^@gateway\/([^/]+)/.exec(specifier)?.[1];
          return target !== undefined && (levels[target] ?? 9) >= (levels[name] ?? 0);
        })
        .map(({ file, specifier }) => `${file} imports ${specifier}`),
    );

    assert.deepEqual(upwards, []);
  });

  it('imports from other workspaces by package name, not by path', () => {
    const reaching = workspaces.flatMap(({ folder, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('.') || specifier.startsWith('/'))
        .filter(({ file, specifier }) => {
          const target = relative(root, resolve(root, file, '..', specifier));
          return !target.startsWith(`${folder}/`);
        })
        .map(({ file, specifier }) => `${file} imports ${specifier}`),
    );

    assert.deepEqual(reaching, []);
  });

  it('imports packages only through their index', () => {
    // The flags must come before the other modules of their package. Shapes are of use only to who describes
    // responses.
    const isAllowed = (specifier: string) =>
      specifier === '@gateway/core/heap-flags' || specifier.endsWith('/shapes');
    const behind = workspaces.flatMap(({ imports }) =>
      imports
        .filter(({ specifier }) => /^@gateway\/[^/]+\//.test(specifier) && !isAllowed(specifier))
        .map(({ file, specifier }) => `${file} imports ${specifier}`),
    );

    assert.deepEqual(behind, []);
  });

  it('has no import cycle between files, type imports included', () => {
    assert.deepEqual(workspaces.flatMap(fileCycles), []);
  });

  it('has no import cycle between the folders of a workspace', () => {
    assert.deepEqual(workspaces.flatMap(folderCycles), []);
  });

  it('uses each library only in its home', () => {
    const strays = workspaces.flatMap(({ name, imports }) =>
      imports
        .filter(({ specifier }) => {
          const home = allowedUsers[packageOf(specifier) ?? ''];
          return home !== undefined && !home.includes(name);
        })
        .map(({ file, specifier }) => `${file} imports ${specifier}`),
    );

    assert.deepEqual(strays, []);
  });

  it('schedules transitions of the simulated cloud with `cloud.schedule`, which a restart continues', () => {
    const delaying = (of: RegExp) => (file: string) => of.test(readFileSync(join(root, file), 'utf8'));
    const sources = globSync('apps/cloudsim/src/**/*.ts', { cwd: root });
    const records = globSync('apps/cloudsim/src/*/state.ts', { cwd: root }).map(dirname);
    const services = records.filter((folder) => !folder.endsWith('/control'));
    assert.ok(services.length >= 8, 'the services declare their records in state.ts');

    const strays = [
      ...sources
        .filter((file) => !/cloudsim\/src\/(common|guest)\//.test(file))
        .filter(delaying(/\bclock\s*\??\.\s*after\b/)),
      ...sources
        .filter((file) => services.includes(dirname(file)))
        .filter(delaying(/\b(?:set(?:Timeout|Interval|Immediate)|queueMicrotask|node:timers)\b/)),
    ];

    assert.deepEqual(strays, [], 'use cloud.schedule.after, and list the task in cloud/tasks.ts');
  });

  it('declares in every workspace exactly the packages that it imports', () => {
    const differences = workspaces.flatMap(({ folder, dependencies, imports }) => {
      const imported = new Set(imports.map(({ specifier }) => packageOf(specifier)));
      imported.delete(null);
      const declared = new Set(dependencies);
      return [
        ...[...imported].filter((name) => !declared.has(name ?? '')).map((name) => `${folder} lacks ${name}`),
        ...dependencies.filter((name) => !imported.has(name)).map((name) => `${folder} does not use ${name}`),
      ];
    });

    assert.deepEqual(differences, []);
  });
});

/** Files that take effect only where another file imports them. See docs/recipes.md. */
const registrations: { files: string; that?: RegExp; in: string }[] = [
  { files: 'apps/api/src/routes/*/routes.ts', in: 'apps/api/src/routes/index.ts' },
  {
    files: 'packages/resources/src/**/*.ts',
    that: /new (?:CachedList|ListsByScope)</,
    in: 'packages/resources/src/resources.ts',
  },
  { files: 'packages/jobs/src/catalog/*-jobs.ts', in: 'packages/jobs/src/catalog/catalog.ts' },
  { files: 'apps/worker/src/sagas/*/steps/*.ts', in: '../index.ts' },
  {
    files: 'packages/openstack/src/*/index.ts',
    that: /class \w+Client/,
    in: 'packages/openstack/src/client.ts',
  },
  { files: 'apps/cloudsim/src/*/service.ts', in: 'apps/cloudsim/src/server.ts' },
  { files: 'apps/cloudsim/src/*/state.ts', that: /function empty/, in: 'apps/cloudsim/src/cloud/cloud.ts' },
];

describe('the registrations', () => {
  for (const { files, that, in: register } of registrations) {
    it(`of ${files} are complete`, () => {
      const read = (file: string) => readFileSync(join(root, file), 'utf8');
      const found = globSync(files, { cwd: root }).filter(
        (file) => that === undefined || that.test(read(file)),
      );
      assert.ok(found.length > 0);
      const missing = found.flatMap((file) => {
        const target = register.startsWith('.') ? join(dirname(file), register) : register;
        const path = relative(dirname(target), file);
        const isThere = read(target).includes(`'${path.startsWith('.') ? path : `./${path}`}'`);
        return isThere ? [] : [`${target} does not import ${file}`];
      });

      assert.deepEqual(missing, []);
    });
  }
});

/** Names of project files in backticks: full paths, or the ends of paths. */
function filesNamedIn(page: string): string[] {
  return [...page.matchAll(/`([\w@./-]+\.(?:ts|sh|md))`/g)].map(([, file = '']) => file);
}

/** Targets of Markdown links to files, relative to the root. */
function filesLinkedIn(page: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) =>
    join(dirname(page), target),
  );
}

describe('the repository', () => {
  it('contains every file that its documents name', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
    // The changelog may name files that an earlier version had.
    const pages = tracked.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
    const missing = pages.flatMap((page) =>
      filesNamedIn(readFileSync(join(root, page), 'utf8'))
        .filter((name) => !tracked.some((file) => `/${file}`.endsWith(`/${name}`)))
        .map((name) => `${page}: ${name}`),
    );

    assert.deepEqual(missing, []);
  });

  it('contains every file that its documents link to', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
    const missing = tracked
      .filter((file) => file.endsWith('.md'))
      .flatMap((page) =>
        filesLinkedIn(page, readFileSync(join(root, page), 'utf8'))
          .filter((file) => !tracked.includes(file))
          .map((file) => `${page}: ${file}`),
      );

    assert.deepEqual(missing, []);
  });

  it('has a map of the code that fits in a head', () => {
    const lines = readFileSync(join(root, 'docs/architecture.md'), 'utf8').trimEnd().split('\n');

    assert.ok(lines.length <= 250, `${lines.length} lines`);
    assert.deepEqual(
      lines.filter((line) => line.length > 130),
      [],
    );
  });

  it('names for each guarantee a test that holds it', () => {
    const guarantees = readFileSync(join(root, 'docs/guarantees.md'), 'utf8').split('\n\n**').slice(1);
    const without = guarantees.filter((text) => !/Held by\s+`test\/[\w./-]+`/.test(text));

    assert.ok(guarantees.length > 30);
    assert.deepEqual(without, []);
  });

  it('explains every top-level folder in the README', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
    const folders = new Set(tracked.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
    const readme = readFileSync(join(root, 'README.md'), 'utf8');

    assert.deepEqual(
      [...folders].filter((folder) => !readme.includes(`${folder}/`)),
      [],
    );
  });
});
