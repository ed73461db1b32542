import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { FORMATS } from '../../packages/cli/src/output/print.ts';
import { currentCatalog } from '../../scripts/cli/catalog.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { type CommandResult, PackedCli } from '../support/clients/packed-cli.ts';
import { eventually } from '../support/eventually.ts';
import { type PreparedProject, prepareProject } from '../support/projects/prepared-project.ts';
import { startTestStack, type TestLogin, testLogin } from '../support/stacks/test-stack.ts';

const EXIT = { usage: 2, refused: 3, notFound: 4, conflict: 5, interrupted: 130 };
const NAME = 'e2e-cli';
const { operations } = await currentCatalog();

describe('the packed command line', function () {
  this.timeout(300_000);
  let cli: PackedCli;
  let stack: Stack;
  let admin: CloudClient;
  let project: PreparedProject;

  before(async () => {
    const config = { services: { container: true } };
    cli = await PackedCli.install();
    stack = await startTestStack({ config, own: true });
    const identityUrl = stack.identityUrl ?? '';
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    project = await prepareProject(identityUrl, admin);
  });

  after(async () => {
    await project?.remove();
    await stack?.stop();
    cli?.remove();
  });

  it('contains all libraries', () => {
    const path = join(cli.folder, 'node_modules/@gateway/cli/package.json');

    assert.equal(JSON.parse(readFileSync(path, 'utf8')).dependencies, undefined);
    assert.deepEqual(
      Object.keys(JSON.parse(readFileSync(join(cli.folder, 'package-lock.json'), 'utf8')).packages),
      ['', 'node_modules/@gateway/cli'],
    );
  });

  it('says a wrong password in one sentence, and keeps no session', async () => {
    const result = await cli.run(['login', '--url', stack.url, '--username', 'demo'], {
      input: 'wrong-secret\n',
    });

    assertRefused(result, EXIT.refused);
    assert.doesNotMatch(result.stderr, /wrong-secret/);
    assertRefused(await cli.run(['list', 'instances']), EXIT.refused);
  });

  it('keeps the session in a file that only the user can read', async () => {
    const { username, password, projectName } = testLogin('demo');
    const args = ['login', '--url', stack.url, '--username', username, '--project', projectName];

    await assertSucceeds(cli.run(args, { input: `${password}\n` }));

    const file = join(cli.configFolder, 'session.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(cli.configFolder).mode & 0o777, 0o700);
    assert.doesNotMatch(readFileSync(file, 'utf8'), new RegExp(password));
    const { username: user } = JSON.parse(await assertSucceeds(cli.run(['whoami', '--output', 'json'])));
    assert.equal(user, username);
  });

  it('creates an instance with a library while the api is restarted', async () => {
    const create = ['create', 'instance', '--name', NAME, '--image', 'ubuntu-22.04', '--flavor', 'm1.tiny'];
    const options = ['--boot-volume-size-gb', '1', '--library', 'python311', '-o', 'json'];
    let restarted: Promise<unknown> | undefined;
    const restart = async () => {
      await stack.apis[0]?.kill('SIGKILL');
      await stack.apis[0]?.restart();
    };

    const result = await cli.run([...create, ...options], {
      onNote: () => {
        restarted ??= restart();
      },
    });

    await restarted;
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stderr, /The connection is lost/);
    assert.match(result.stderr, /^100 % /m);
    const created = JSON.parse(result.stdout);
    assert.deepEqual([created.name, created.overlay_libraries], [NAME, ['python311']]);
    const instances = JSON.parse(await assertSucceeds(cli.run(['list', 'instances', '-o', 'json'])));
    assert.equal(instances.filter(({ name }: { name: string }) => name === NAME).length, 1);
  });

  it('lists jobs, and follows one that has ended', async () => {
    const [job] = JSON.parse(await assertSucceeds(cli.run(['jobs', '--limit', '1', '-o', 'json']))).items;
    assert.deepEqual([job.type, job.status], ['instance.create', 'completed']);

    const { code, stderr } = await cli.run(['jobs', 'follow', job.id]);

    assert.equal(code, 0, stderr);
    assert.match(stderr, /^100 % /m);
    assertRefused(await cli.run(['jobs', 'cancel', job.id]), EXIT.conflict);
  });

  it('prints what changes in the project until it is interrupted', async () => {
    let volume: Promise<string> | undefined;
    const create = ['create', 'volume', '--name', NAME, '--size-gb', '1', '--follow', '--quiet'];

    const { code, stdout, stderr } = await cli.run(['events', '--type', 'volume', '-o', 'json'], {
      onOutput: (chunk, interrupt) => {
        volume ??= assertSucceeds(cli.run(create));
        if (chunk.includes('"state":"available"')) interrupt();
      },
    });

    const id = (await volume)?.trim() ?? '';
    assert.equal(code, EXIT.interrupted, stderr);
    const changes = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(
      changes.some((change) => change.change === 'created' && change.id === id),
      stdout,
    );
    await assertSucceeds(cli.run(['delete', 'volume', id]));
  });

  it('refuses a wrong command before it is sent', async () => {
    assertRefused(await cli.run(['create', 'volume', '--size-gb', 'much']), EXIT.usage);
  });

  it('prints every list as JSON', async () => {
    const lists = operations.filter(({ verb, parameters }) => verb === 'list' && parameters.length === 0);
    // A session for all lists, since log-ins are limited.
    const env = { XDG_CONFIG_HOME: join(cli.folder, 'administrator') };
    await assertSucceeds(cli.run(['login'], { env: { ...env, ...environment(testLogin('admin')) } }));
    for (const { noun, query } of lists) {
      const { code, stdout, stderr } = await cli.run(
        ['list', noun, '--output', 'json', ...requiredOptions(query)],
        { env },
      );

      if (noun.endsWith('containers') && !admin.has('container')) {
        assertRefused({ code, stdout, stderr }, EXIT.notFound);
        assert.match(stderr, /This cloud does not have the service/);
        continue;
      }
      assert.equal(code, 0, `${noun}: ${stderr}`);
      const body = JSON.parse(stdout);
      assert.ok(Array.isArray(body) || Array.isArray(body.items), noun);
    }
    const volumes = await assertSucceeds(cli.run(['list', 'instance-volumes', NAME, '-o', 'json']));
    assert.notEqual(JSON.parse(volumes).length, 0);
  });

  for (const format of FORMATS) {
    it(`prints a list and a record as ${format}`, async () => {
      const list = await assertSucceeds(cli.run(['list', 'instances', '-o', format, '-c', 'id,name']));
      const record = await assertSucceeds(cli.run(['show', 'instance', NAME, '-o', format, '-c', 'id,name']));

      assert.ok(readAs[format](list).flat().includes(NAME), list);
      assert.ok(readAs[format](record).flat().includes(NAME), record);
    });
  }

  it('prints tables, columns and ids', async () => {
    const table = await assertSucceeds(cli.run(['list', 'instances', '--columns', 'name,status']));
    const [id = ''] = (await assertSucceeds(cli.run(['list', 'instances', '--quiet']))).split('\n');

    assert.match(table, /^NAME +STATUS$/m);
    assert.match(table, /^e2e-cli +ACTIVE$/m);
    assert.match(id, /^[\da-f-]{36}$/);
  });

  it('deletes by name', async () => {
    await assertSucceeds(cli.run(['delete', 'instance', NAME]));

    const shown = await eventually(async () => {
      const result = await cli.run(['show', 'instance', NAME]);
      return result.code === 0 ? undefined : result;
    });
    assertRefused(shown, EXIT.notFound);
  });

  it('prints one sentence with the request id for an unknown id', async () => {
    const result = await cli.run(['show', 'instance', randomUUID()]);

    assertRefused(result, EXIT.notFound);
    assert.match(result.stderr, /\([\w-]{8,}\)\n$/);
  });

  it('prints one sentence for an exhausted quota, also of a job', async () => {
    const { cloud, id, login } = project;
    await admin.call('volumev3', 'PUT', `/os-quota-sets/${id}`, { quota_set: { volumes: 0 } });
    await admin.call('compute', 'PUT', `/os-quota-sets/${id}`, { quota_set: { instances: 0 } });
    const env = environment(login);

    const volume = await cli.run(['create', 'volume', '--name', 'x', '--size-gb', '1', '--follow'], {
      env,
    });
    const instance = await cli.run(
      ['create', 'instance', '--name', 'x', '--image', 'debian-12', '--flavor', 'm1.tiny', '--follow'],
      { env },
    );

    for (const { code, stderr } of [volume, instance]) {
      assert.equal(code, EXIT.conflict, stderr);
      assert.match(stderr, /^gateway: .*quota.*$/im);
    }
    assert.deepEqual((await cloud.call<{ volumes: [] }>('volumev3', 'GET', '/volumes')).volumes, []);
  });

  it('reaches every endpoint with "api"', async () => {
    const images = await assertSucceeds(cli.run(['api', 'GET', '/api/images']));

    assert.ok(JSON.parse(images).some(({ name }: { name: string }) => name === 'debian-12'));
    assertRefused(await cli.run(['api', 'GET', '/api/nothing']), EXIT.notFound);
  });

  it('completes commands and names in bash, sourced twice', async () => {
    const script = await assertSucceeds(cli.run(['completion', 'bash']));
    const line = 'gateway create instance --image debi';
    const press = `COMP_LINE='${line}' COMP_POINT=${line.length}; _gateway; echo "\${COMPREPLY[@]}"`;

    const replies = execFileSync('bash', ['--norc', '-c', `${script}\n${script}\n${press}`], {
      env: {
        HOME: dirname(dirname(cli.configFolder)),
        PATH: [dirname(cli.program), dirname(process.execPath), process.env.PATH].join(delimiter),
      },
      encoding: 'utf8',
    });

    assert.equal(replies, 'debian-12\n');
  });

  it('ends the session with a log-out', async () => {
    const { token, project_id } = JSON.parse(readFileSync(join(cli.configFolder, 'session.json'), 'utf8'));

    await assertSucceeds(cli.run(['logout']));

    const env = { GATEWAY_URL: stack.url, GATEWAY_TOKEN: token, GATEWAY_PROJECT_ID: project_id };
    assertRefused(await cli.run(['list', 'images'], { env }), EXIT.refused);
    assertRefused(await cli.run(['list', 'images']), EXIT.refused);
  });

  function environment({ username, password, projectName }: TestLogin): Record<string, string> {
    return {
      GATEWAY_URL: stack.url,
      GATEWAY_USERNAME: username,
      GATEWAY_PASSWORD: password,
      GATEWAY_PROJECT: projectName,
    };
  }
});

/** The texts in what each format prints. */
const readAs: Record<(typeof FORMATS)[number], (text: string) => unknown[]> = {
  table: (text) => text.split(/\s+/),
  json: (text) => rowsOf(JSON.parse(text)),
  yaml: (text) => rowsOf(parse(text)),
  value: (text) => text.split(/[\t\n]/),
};

function rowsOf(body: object | object[]): unknown[] {
  return [body].flat().map((row) => Object.values(row));
}

async function assertSucceeds(command: Promise<CommandResult>): Promise<string> {
  const { code, stdout, stderr } = await command;
  assert.equal(code, 0, stderr);
  return stdout;
}

/** One line on `stderr`, and nothing on `stdout`. */
function assertRefused({ code, stdout, stderr }: CommandResult, expected: number): void {
  assert.equal(code, expected, stderr);
  assert.match(stderr, /^gateway: [^\n]+\n$/);
  assert.equal(stdout, '');
}

/** Values of the parameters without which a list is refused. */
function requiredOptions(query: (typeof operations)[number]['query']): string[] {
  return query
    .filter(({ isRequired }) => isRequired)
    .flatMap(({ name, choices = [] }) => [`--${name}`, choices[0] ?? '']);
}
