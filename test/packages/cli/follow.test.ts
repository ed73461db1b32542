import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { generateCatalog } from '../../../scripts/cli/catalog.ts';
import { root } from '../../support/source/workspaces.ts';
import { cliSuite } from './cli-suite.ts';
import { refusal } from './fake-gateway.ts';

const JOB = '31111111-2222-3333-4444-555555555555';
const INSTANCE = '41111111-2222-3333-4444-555555555555';
const BACKUP = '51111111-2222-3333-4444-555555555555';
const RESOURCE = '61111111-2222-3333-4444-555555555555';
const RESTORE = `/api/volumes/backups/${BACKUP}/restore/async`;
const SCALE = `/api/lite/clusters/${RESOURCE}/scale/async`;
const CLUSTER = `/api/lite/clusters/${RESOURCE}`;
const VOLUME = `/api/volumes/${RESOURCE}`;
const IMAGES = `/api/instances/${INSTANCE}/images/async`;
const event = (progress: number, step: string, more: object = {}) => ({
  ...{ job_id: JOB, step, progress, message: `At ${step}.`, instance_id: null, error: null },
  ...{ estimated_progress: progress, estimated_step_progress: null },
  ...{ estimated_step_end_at: null, estimated_end_at: null },
  ...more,
});

describe('a job that the command line follows', () => {
  const { gateway, terminal, env } = cliSuite();

  const create = ['create', 'instance', '--name', 'a', '--image', INSTANCE, '--flavor', INSTANCE];
  const started = (...events: object[]) => ({ events, headers: { 'x-job-id': JOB } });
  const follow = `GET /api/jobs/${JOB}/events`;

  it('is shown as lines in a file, and then its result', async () => {
    gateway.answers({
      'POST /api/instances/async': started(
        event(10, 'BEGUN'),
        event(100, 'COMPLETED', { instance_id: INSTANCE }),
      ),
      [`GET /api/instances/${INSTANCE}`]: { body: { id: INSTANCE, name: 'a' } },
    });

    const { code, stdout, stderr } = await terminal.run([...create, '-o', 'json'], { env });

    assert.equal(code, 0, stderr);
    assert.equal(stderr, '10 %  At BEGUN.\n100 %  At COMPLETED.\n');
    assert.deepEqual(JSON.parse(stdout), { id: INSTANCE, name: 'a' });
  });

  for (const [what, command, path, type, shown] of [
    ['created', ['volume', '--name', 'a'], '/api/volumes/async', 'volume', true],
    ['restored', ['volume-backup-restore', BACKUP], RESTORE, 'volume', true],
    ['made and has no command', ['instance-image', INSTANCE, '--name', 'a'], IMAGES, 'novelty', false],
  ] as const) {
    it(`prints the id of what is ${what}`, async () => {
      gateway.answers({
        [`POST ${path}`]: started(
          event(100, 'COMPLETED', { resource_type: type, resource_id: RESOURCE, instance_id: undefined }),
        ),
        ...(shown && { [`GET /api/volumes/${RESOURCE}`]: { body: { name: 'a', id: RESOURCE } } }),
      });

      const { code, stdout, stderr } = await terminal.run(['create', ...command, '--quiet'], { env });

      assert.equal(code, 0, stderr);
      assert.equal(stdout, `${RESOURCE}\n`);
    });
  }

  for (const { status, code } of [
    { status: 401, code: 'session_expired' },
    { status: 503, code: 'service_unavailable' },
  ]) {
    it(`prints the id of what is created though ${status} hides it`, async () => {
      gateway.answers({
        'POST /api/instances/async': started(event(100, 'COMPLETED', { instance_id: INSTANCE })),
        [`GET /api/instances/${INSTANCE}`]: refusal(status, code, 'Not now.'),
      });

      const { stderr, ...result } = await terminal.run([...create, '--quiet'], { env });

      assert.deepEqual(result, { code: 0, stdout: `${INSTANCE}\n` });
      assert.match(stderr, /^The job has completed, but its result cannot be shown\. /);
    });
  }

  for (const [what, command, path, id, shown] of [
    ['a scaling', ['lite-cluster', 'scale', RESOURCE, '--agent-count', '2'], SCALE, 'cluster_id', CLUSTER],
    ['a restore', ['volume-backup', 'restore', BACKUP], RESTORE, 'resource_id', VOLUME],
  ] as const) {
    it(`is followed to the end of ${what} by the action`, async () => {
      const completed = event(100, 'COMPLETED', { [id]: RESOURCE, instance_id: undefined });
      gateway.answers({
        [`POST ${path}`]: started(
          id === 'resource_id' ? { ...completed, resource_type: 'volume' } : completed,
        ),
        [`GET ${shown}`]: { body: { name: 'a', id: RESOURCE } },
      });

      const { code, stdout, stderr } = await terminal.run(['action', ...command, '--quiet'], { env });
      const unfollowed = await terminal.run(['action', ...command, '--quiet', '--no-follow'], { env });

      assert.deepEqual([code, stdout], [0, `${RESOURCE}\n`], stderr);
      assert.equal(unfollowed.stdout, `${JOB}\n`);
    });
  }

  it('prints the columns that it knows of what cannot be shown', async () => {
    gateway.answers({
      'POST /api/instances/async': started(event(100, 'COMPLETED', { instance_id: INSTANCE })),
    });

    const { code, stdout } = await terminal.run([...create, '--columns', 'status,id', '-o', 'value'], {
      env,
    });

    assert.deepEqual([code, stdout], [0, `\n${INSTANCE}\n`]);
  });

  for (const [what, command, path] of [
    ['begins with its events', create, '/api/instances/async'],
    [
      'is named by a response',
      ['action', 'lite-cluster', 'upgrade', RESOURCE, '--version', 'v1', '--follow'],
      `/api/lite/clusters/${RESOURCE}/upgrade`,
    ],
  ] as const) {
    it(`stays known when following fails and it ${what}`, async () => {
      gateway.answers({
        [`POST ${path}`]: path.endsWith('/async')
          ? started(event(10, 'BEGUN'))
          : { status: 202, body: { id: RESOURCE }, headers: { 'x-job-id': JOB } },
        [follow]: refusal(401, 'session_expired', 'The session has ended.'),
      });

      const { code, stderr } = await terminal.run([...command, '--quiet'], { env });

      assert.equal(code, 3);
      assert.match(stderr, new RegExp(`"gateway jobs follow ${JOB}".*\\ngateway: Your session has ended`));
    });
  }

  it('is shown as a bar on a terminal', async () => {
    gateway.answers({ [follow]: { events: [event(50, 'HALF'), event(100, 'COMPLETED')] } });

    const { code, stderr } = await terminal.run(['jobs', 'follow', JOB], { env, types: [] });

    assert.equal(code, 0);
    assert.match(stderr, /\[#{30}\] 100 % {2}At COMPLETED\./);
  });

  it('is only named with --no-follow', async () => {
    gateway.answers({ 'POST /api/instances/async': started(event(10, 'BEGUN')) });

    const { code, stdout, stderr } = await terminal.run([...create, '--quiet', '--no-follow'], { env });

    assert.deepEqual([code, stdout], [0, `${JOB}\n`]);
    assert.match(stderr, new RegExp(`"gateway jobs follow ${JOB}"`));
  });

  it('leaves a narrow terminal room for its message', async () => {
    gateway.answers({
      [follow]: { events: [event(100, 'COMPLETED', { message: '\u001b[2J名前\n'.repeat(9) })] },
    });

    const { stderr } = await terminal.run(['jobs', 'follow', JOB], { env, types: [], columns: 40 });

    assert.match(stderr, /\[#{10}\] 100 % {2}(?:\ufffd\[2J名前 ){2}…/);
  });

  it('may be named by the beginning of its id', async () => {
    gateway.answers({
      'GET /api/jobs': { body: { items: [{ id: JOB }], next_marker: null } },
      [follow]: { events: [event(100, 'COMPLETED')] },
    });

    const { code } = await terminal.run(['jobs', 'follow', JOB.slice(0, 8)], { env });

    assert.equal(code, 0);
  });

  it('ends with the exit code of its error', async () => {
    const failure = event(20, 'FAILED', { error: 'The quota is used up.', code: 'quota_exceeded' });
    gateway.answers({ 'POST /api/instances/async': started(failure) });

    const { code, stderr } = await terminal.run([...create, '--quiet'], { env });

    assert.deepEqual([code, stderr], [5, `gateway: The quota is used up. (job ${JOB})\n`]);
  });

  it('continues without the command after Ctrl-C', async () => {
    gateway.answers({ [follow]: { events: [event(50, 'HALF')] } });

    const { code, stderr } = await terminal.run(['jobs', 'follow', JOB], {
      env,
      onNote: (_text, interrupt) => interrupt(),
    });

    assert.equal(code, 130);
    assert.match(stderr, new RegExp(`The job continues: "gateway jobs follow ${JOB}"`));
    assert.deepEqual(
      gateway.seen.map(({ line }) => line),
      [follow],
    );
  });

  it('continues when nobody reads its progress any more', async () => {
    await generateCatalog();
    gateway.answers({ [follow]: started(event(10, 'BEGUN'), event(100, 'COMPLETED')) });

    const program = join(root, 'packages/cli/src/main.ts');
    const child = spawn(process.execPath, ['-C', '@gateway/source', program, 'jobs', 'follow', JOB], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.destroy();

    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
