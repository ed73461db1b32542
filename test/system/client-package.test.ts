import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { isStream } from '../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import type { Stack } from '../../scripts/stack.ts';
import { creationProgram } from '../support/clients/creation-program.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { installPackedClient } from '../support/clients/packed-client.ts';
import type { PackedProject } from '../support/clients/packed-project.ts';
import { root } from '../support/source/workspaces.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const run = promisify(execFile);

/** What the examples in the README of the client take from the page in which they stand. */
const readmePage = `
import { eachItem, eachRow, GatewayClient, GatewayError, movingProgress } from '@gateway/client';
import type { Image, Instance, LiteCluster, LoadBalancer, Reconnect, RequestInput, Volume } from '@gateway/client';

declare const gateway: GatewayClient;
declare const id: string, jobId: string, password: string, projectId: string, token: string, url: string, username: string;
declare const cluster: LiteCluster, image: Image, instance: Instance, loadBalancer: LoadBalancer, volume: Volume;
declare const body: RequestInput<'POST /api/volumes'>['body'];
declare const lastEventId: number;
declare const router: { push(address: string): void };
declare const signal: AbortSignal;
declare function askForPasscode(): Promise<string>;

type Page = (...given: any[]) => any;
declare const addButton: Page, askAgain: Page, askForAnotherName: Page, askForNewPassword: Page, drawBar: Page;
declare const hideOffline: Page, highlight: Page, markField: Page, offerMoreQuota: Page, readAgain: Page, save: Page;
declare const show: Page, showOffline: Page, showProblem: Page, showWaiting: Page, toLogIn: Page;
`;

/** The last three majors of TypeScript. */
const compilers = [
  'node_modules/typescript-5',
  'packages/client/node_modules/typescript',
  'node_modules/typescript',
];

/** The options with which new projects begin, without the types of other packages. */
const projectOptions = {
  /** Those of the documentation of Node.js, and the strictest ones. */
  'Node.js': {
    target: 'esnext',
    module: 'nodenext',
    rewriteRelativeImportExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    strict: true,
    exactOptionalPropertyTypes: true,
  },
  /** Those of the templates of Vite. */
  Vite: {
    target: 'es2022',
    module: 'esnext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    skipLibCheck: true,
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    moduleDetection: 'force',
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    noFallthroughCasesInSwitch: true,
    noUncheckedSideEffectImports: true,
  },
};

describe('the packed client', function () {
  this.timeout(300_000);
  let project: PackedProject;

  before(async () => {
    project = await installPackedClient();
  });

  after(() => project?.remove());

  const checks = compilers.flatMap((compiler) =>
    Object.entries(projectOptions).map(([kind, options]) => ({ compiler, kind, options })),
  );

  for (const { compiler, kind, options } of checks) {
    const { version } = JSON.parse(readFileSync(join(root, compiler, 'package.json'), 'utf8'));

    it(`has types for every endpoint in TypeScript ${version} of ${kind}`, async () => {
      const readme = exampleOf('packages/client/README.md');

      assert.equal(await compile({ 'use.ts': usage(), 'readme.ts': readme }, options, compiler), '');
    });
  }

  it('has the names of the other examples in the README', async () => {
    const page = pageWith(readFileSync(join(root, 'packages/client/README.md'), 'utf8'));

    assert.equal(await compile({ 'page.ts': page }, projectOptions['Node.js']), '');
  });

  it('has the names of the examples in the guide', async () => {
    const guide = programOf('docs/api-guide.md');

    assert.equal(await compile({ 'guide.ts': guide }, projectOptions['Node.js']), '');
  });

  /** What the compiler, by default that of this repository, says of files in the project. */
  async function compile(
    files: Record<string, string>,
    options: object,
    compiler = 'node_modules/typescript',
  ): Promise<string> {
    const compilerOptions = { ...options, types: [], noEmit: true };
    project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    return run(process.execPath, [join(root, compiler, 'bin/tsc')], { cwd: project.folder }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  }

  it('creates an instance without gaps or repetitions across an api restart', async () => {
    const stack = await startTestStack({ own: true });
    try {
      const { lines, exitCode } = await createWhileTheApiRestarts(stack);

      const events = lines.filter((line) => 'id' in line);
      assert.deepEqual(
        events.map(({ id }) => id),
        events.map((_event, index) => index + 1),
      );
      const last = events.at(-1);
      assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
      assert.ok(
        lines.some(({ attempt }) => attempt === 1),
        'the stream was resumed',
      );
      assert.equal(exitCode, 0);
      const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
      const deleted = await gateway.request('DELETE', `/api/instances/${last.instance_id}`);
      assert.equal(deleted.status, 204);
    } finally {
      await stack.stop();
    }
  });

  it('creates an instance with the example of the README', async () => {
    const stack = await startTestStack(simulatedCloud);
    try {
      const example = exampleOf('README.md').replace('http://127.0.0.1:8000', stack.url);

      const { stdout } = await run(process.execPath, [project.write('readme.js', example)]);

      assert.match(stdout, /^100 % COMPLETED /m);
    } finally {
      await stack.stop();
    }
  });

  async function createWhileTheApiRestarts(stack: Stack) {
    const { password, projectName, username } = testLogin('demo');
    const login = { username, password, project_name: projectName };
    const path = project.write('create.js', creationProgram);
    const child = spawn(process.execPath, [path, stack.url, JSON.stringify(login)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const lines: Line[] = [];
    for await (const text of createInterface({ input: child.stdout })) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line.id === 2) {
        await stack.apis[0]?.kill('SIGKILL');
        await stack.apis[0]?.restart();
      }
    }
    const [exitCode] = (await exited) as [number | null];
    return { lines, exitCode };
  }
});

/** The first example of a page that is a whole module. */
function exampleOf(page: string): string {
  const [, example = ''] =
    /```ts\n(import [^`]*(?:`[^`]+`[^`]*)*?)```/.exec(readFileSync(join(root, page), 'utf8')) ?? [];
  assert.notEqual(example, '', `${page} has an example`);
  return example;
}

/** The examples of a page, which are one program. The configuration of another program is none of them. */
function programOf(page: string): string {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/```ts\n(.*?)```/gs);
  const examples = [...blocks].map(([, example = '']) => example);
  const program = examples.filter((example) => !example.includes("from 'vite'")).join('\n');
  assert.match(program, /from '@gateway\/client'/);
  return program;
}

interface Line {
  id?: number;
  step?: string;
  error?: string | null;
  instance_id?: string | null;
  attempt?: number;
}

/**
 * Fails to compile when the types lack an endpoint of the document, have another one, or
 * accept a wrong request.
 */
function usage(): string {
  // Redirects are addresses for browsers.
  const names = endpoints
    .filter((endpoint) => !isStream(endpoint) && endpoint.status !== 303)
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  return `
import { eachItem, type Endpoint, GatewayClient, GatewayError, type Instance, type Job, type Pool } from '@gateway/client';

export const endpoints: Record<Endpoint, true> = {
${names.map((name) => `  '${name}': true,`).join('\n')}
};

const onSessionEnd = ({ code }: GatewayError) => console.log(code);
const gateway = new GatewayClient({ url: 'http://127.0.0.1:8000', onSessionEnd });
const { token }: { token: string } = await gateway.logIn({ username: 'demo', password: token0() });
const instances: Instance[] = await gateway.request('GET /api/instances', { query: { refresh: true } });
const none: void = await gateway.request('DELETE /api/instances/{instance_id}', { path: { instance_id: token } });
const jobs = eachItem((marker) => gateway.request('GET /api/jobs', { query: { limit: 100, marker } }));
for await (const job of jobs) checkJob(job);
for await (const event of gateway.watch({ types: ['instance', 'job'] })) {
  const id: string = event.change === 'reset' ? event.types.join() : event.id;
  if (id === '') break;
}
for await (const { rows, changes } of gateway.watchList('GET /api/instances', { query: { refresh: false } })) {
  const watched: [Instance[], string | undefined] = [rows, changes[0]?.eventId];
  if (watched[0].length > 0) break;
}
const path = { lb_id: token };
for await (const { rows } of gateway.watchList('GET /api/loadbalancers/{lb_id}/pools', { path }, { idleTimeoutMs: 1 })) {
  const pools: Pool[] = rows;
  if (pools.length > 0) break;
}
const volumes = await gateway.request('GET /api/volumes', { query: { name: undefined, status: 'available' } });
for (const volume of volumes) {
  await gateway.act('volume', volume, 'extend', { body: { new_size: 20 } });
  await gateway.act('volume', volume, 'attach', { path: { instance_id: token } });
  // @ts-expect-error: the new size is missing
  await gateway.act('volume', volume, 'extend');
  // @ts-expect-error: it is no action on a volume
  await gateway.act('volume', volume, 'start');
}
for (const instance of instances) {
  for await (const { id } of await gateway.act('instance', instance, 'create_image', { body: { name: 'golden' } })) console.log(id);
}
const body = { name: 'first', image_id: 'image', flavor_id: 'flavor' };
for await (const { id, step, instance_id } of gateway.createInstance(body, { signal: AbortSignal.timeout(1) })) {
  const known: [number, 'COMPLETED' | 'FAILED' | (string & {}), string | null] = [id, step, instance_id];
  console.log(known, none, instances);
}
await gateway.request('POST /api/volumes', { body: { name: 'data', size_gb: 10 }, idempotencyKey: 'key' }).catch(
  (error: unknown) => error instanceof GatewayError && error.code === 'quota_exceeded',
);

// @ts-expect-error: there is no such endpoint
gateway.request('GET /api/nothing');
// @ts-expect-error: the path has a parameter
gateway.request('GET /api/instances/{instance_id}');
// @ts-expect-error: the query has no such field
gateway.request('GET /api/instances', { query: { nam: 'x' } });
// @ts-expect-error: the query requires a value
gateway.request('POST /api/admin/file-storage/build', { query: { library_id: undefined } });
// @ts-expect-error: the query is missing
gateway.request('POST /api/admin/file-storage/build');
// @ts-expect-error: the list has a path
gateway.watchList('GET /api/loadbalancers/{lb_id}/pools');
// @ts-expect-error: the body lacks the name
gateway.request('POST /api/volumes', { body: { size_gb: 10 } });
// @ts-expect-error: the field is a number
gateway.request('POST /api/volumes', { body: { name: 'data', size_gb: '10' } });
// @ts-expect-error: the flavor is missing
gateway.createInstance({ name: 'first', image_id: 'image' });

function checkJob({ status }: Job): void {
  // @ts-expect-error: there is no such status
  if (status === 'unknown') throw new Error();
}

function token0(): string {
  return '';
}
`;
}

/** The examples of a README but the first one, each in a function of a page. */
function pageWith(readme: string): string {
  const [, ...examples] = readme.matchAll(/```[jt]s\n(.*?)```/gs);
  const functions = examples.map(
    ([, text], index) => `export async function example${index}() {\n${text}}\n`,
  );
  return readmePage + functions.join('');
}
