import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliSuite, SESSION } from './cli-suite.ts';
import { FakeGateway, refusal } from './fake-gateway.ts';

const ID = '11111111-2222-3333-4444-555555555555';
const IMAGES = [
  { id: ID, name: 'debian', status: 'active', size: 1, tags: ['a', 'b'] },
  { id: '21111111-2222-3333-4444-555555555555', name: 'twice\u001b[2J', status: 'active', size: 2, tags: [] },
];

const ENCODINGS: [what: string, encode: (text: string) => Buffer][] = [
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 of PowerShell', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 of the other byte order', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
];

describe('the commands of resources', () => {
  const { gateway, terminal, env } = cliSuite();

  const run = (...args: string[]) => terminal.run(args, { env });
  const lines = () => gateway.seen.map(({ line }) => line);

  describe('list', () => {
    beforeEach(() => gateway.answers({ 'GET /api/images': { body: IMAGES } }));

    it('prints a table, without the control characters of a name', async () => {
      const { stdout } = await run('list', 'images', '--columns', 'name,tags');

      assert.equal(stdout, 'NAME       TAGS\ndebian     a, b\ntwice\ufffd[2J\n');
    });

    it('prints the response as JSON, ids, or values', async () => {
      const json = await run('list', 'image', '-o', 'json');
      const ids = await run('list', 'images', '--quiet');
      const values = await run('list', 'images', '-o', 'value', '-c', 'name,size');

      assert.deepEqual(JSON.parse(json.stdout), IMAGES);
      assert.equal(ids.stdout, `${IMAGES.map(({ id }) => id).join('\n')}\n`);
      assert.match(values.stdout, /^debian\t1\n/);
    });

    it('lets the gateway select and sort rows', async () => {
      await run('list', 'images', '--limit', '1', '--sort', 'name:desc', '--status', 'active');

      assert.deepEqual(lines(), ['GET /api/images?limit=1&sort=name%3Adesc&status=active']);
    });

    it('shows no progress of a failed job, but its error', async () => {
      const job = {
        id: ID,
        resource_name: 'web',
        status: 'failed',
        progress: -1,
        error: 'No host\nis left.',
      };
      gateway.answers({ 'GET /api/jobs': { body: { items: [job], next_marker: null } } });

      const { stdout } = await run('jobs', '-c', 'resource_name,progress,error');

      assert.equal(stdout, 'RESOURCE_NAME  PROGRESS  ERROR\nweb                      No host is left.\n');
    });

    it('reads auto backups', async () => {
      gateway.answers({
        'POST /api/volumes/backups/auto-backup/configs': { body: [{ volume_name: 'data' }] },
      });

      const { code, stdout } = await run('list', 'auto-backups', '--columns', 'volume_name');

      assert.deepEqual([code, stdout], [0, 'VOLUME_NAME\ndata\n']);
    });

    it('refuses an unknown column and names the known ones', async () => {
      const { code, stderr } = await run('list', 'images', '--columns', 'nothing');

      assert.equal(code, 2);
      assert.match(stderr, /^gateway: There is no column "nothing"\. The columns are: id, name/);
    });

    it('reads all pages', async () => {
      const rows = [{ id: '1' }, { id: '2' }];
      gateway.answers({
        'GET /api/jobs': ({ line }) =>
          line.includes('marker=1')
            ? { body: { items: [rows[1]], next_marker: null } }
            : { body: { items: [rows[0]], next_marker: '1' } },
      });

      const all = await run('jobs', '--all', '-o', 'json');
      const first = await run('list', 'jobs', '-o', 'json');

      assert.deepEqual(JSON.parse(all.stdout), rows);
      assert.deepEqual(JSON.parse(first.stdout), { items: [rows[0]], next_marker: '1' });
    });
  });

  describe('names', () => {
    it('stand for ids', async () => {
      gateway.answers({
        'GET /api/volumes': { body: [{ id: ID, name: 'data' }] },
        [`DELETE /api/volumes/${ID}`]: { status: 204 },
      });

      const { code, stderr } = await run('delete', 'volume', 'data', ID);

      assert.equal(code, 0, stderr);
      const deletion = `DELETE /api/volumes/${ID}`;
      assert.deepEqual(lines(), ['GET /api/volumes', deletion, deletion]);
    });

    it('may be the beginnings of ids', async () => {
      gateway.answers({
        'GET /api/volumes': {
          body: [
            { id: ID, name: 'data' },
            { id: `${ID.slice(0, -1)}6`, name: 'logs' },
          ],
        },
        [`GET /api/volumes/${ID}`]: { body: { id: ID } },
      });

      const one = await run('show', 'volume', ID.slice(0, -1).concat('…'));
      const two = await run('show', 'volume', ID.slice(0, 8));

      assert.deepEqual([one.code, two.code], [2, 2]);
      assert.match(two.stderr, /There are several volumes "11111111"/);
    });

    it('may be ids that people chose, with blanks', async () => {
      const id = 'gpu large 1';
      gateway.answers({
        'GET /api/flavors': { body: [{ id, name: 'gpu' }] },
        'GET /api/admin/flavors': { body: { items: [{ id, name: 'gpu' }], next_marker: null } },
        'DELETE /api/admin/flavors/gpu%20large%201': { status: 204 },
        [`POST /api/instances/${ID}/resize`]: { body: { status: 'resizing' } },
      });

      const deleted = await run('delete', 'admin-flavor', id);
      const resized = await run('action', 'instance', 'resize', ID, '--flavor', id);

      assert.equal(deleted.code, 0, deleted.stderr);
      assert.equal(resized.code, 0, resized.stderr);
      assert.deepEqual(gateway.seen.at(-1)?.body, { flavor_id: id });
    });

    it('are refused where several rows or none have them', async () => {
      gateway.answers({
        'GET /api/volumes': {
          body: [
            { id: 'a', name: 'data' },
            { id: 'b', name: 'data' },
          ],
        },
      });

      const several = await run('delete', 'volume', 'data');
      const none = await run('delete', 'volume', 'other');

      assert.deepEqual([several.code, none.code], [2, 4]);
      assert.match(several.stderr, /use an id: a, b\.\n$/);
      assert.deepEqual(lines(), ['GET /api/volumes', 'GET /api/volumes']);
    });
  });

  it('refuse an empty name, which a row may have', async () => {
    gateway.answers({
      'GET /api/volumes': { body: [{ id: ID, name: '' }] },
      [`DELETE /api/volumes/${ID}`]: { status: 204 },
    });

    const { code, stderr } = await run('delete', 'volume', '');

    assert.deepEqual([code, stderr], [2, 'gateway: A name or an id is empty.\n']);
    assert.deepEqual(lines(), []);
  });

  it('refuse an id that a path would leave out', async () => {
    gateway.answers({ [`DELETE /api/security-groups/${ID}/`]: { status: 204 } });

    const { code, stderr } = await run('delete', 'security-group-rule', ID, '..');

    assert.deepEqual([code, stderr], [2, 'gateway: ".." is no id.\n']);
    assert.deepEqual(lines(), []);
  });

  describe('create', () => {
    const size = ['--vcpus', '1', '--ram', '512', '--disk', '1'];

    beforeEach(() =>
      gateway.answers({ 'POST /api/admin/flavors': { status: 201, body: { id: ID, name: 'small' } } }),
    );

    it('sends options as fields, and a key against repetitions', async () => {
      const { code, stderr } = await run('create', 'admin-flavor', '--name', 'small', ...size);

      assert.equal(code, 0, stderr);
      assert.deepEqual(gateway.seen[0]?.body, { name: 'small', vcpus: 1, ram: 512, disk: 1 });
      assert.match(String(gateway.seen[0]?.headers['idempotency-key']), /^[\w-]{16,}$/);
    });

    it('reads the body from a file; options replace its fields', async () => {
      const path = join(terminal.home, 'flavor.json');
      writeFileSync(path, '{"name":"small","vcpus":1,"ram":512,"disk":1}');

      await run('create', 'admin-flavor', '--data', `@${path}`, '--vcpus', '4');

      assert.deepEqual(gateway.seen[0]?.body, { name: 'small', vcpus: 4, ram: 512, disk: 1 });
    });

    for (const [what, encode] of ENCODINGS) {
      it(`reads ${what} from a file and from a pipe`, async () => {
        const bytes = encode('{"name":"größer","vcpus":1,"ram":512,"disk":1}');
        const path = join(terminal.home, 'flavor.json');
        writeFileSync(path, bytes);

        const file = await run('create', 'admin-flavor', '--data', `@${path}`);
        const pipe = await terminal.run(['create', 'admin-flavor', '--data', '-'], { env, input: bytes });

        assert.deepEqual([file.stderr, pipe.stderr], ['', '']);
        const body = { name: 'größer', vcpus: 1, ram: 512, disk: 1 };
        assert.deepEqual(
          gateway.seen.map((request) => request.body),
          [body, body],
        );
      });
    }

    it('refuses a file that is no text', async () => {
      const path = join(terminal.home, 'picture');
      writeFileSync(path, Buffer.from([0x89, 0x50, 0xff]));

      const { code, stderr } = await run('create', 'admin-flavor', '--data', `@${path}`);

      assert.deepEqual([code, gateway.seen], [2, []]);
      assert.match(stderr, /is not text in UTF-8 or UTF-16\.\n$/);
    });

    it('takes the text of a file where a field holds one', async () => {
      const [key, script] = ['ssh-ed25519 AAAA demo\n', '#!/bin/sh\necho größer\n'];
      writeFileSync(join(terminal.home, 'id.pub'), key);
      writeFileSync(join(terminal.home, 'script'), `\ufeff${script}`);
      gateway.answers({
        'POST /api/keypairs': { status: 201, body: { name: '@home' } },
        'POST /api/instances/async': { status: 409, body: { code: 'conflict', detail: 'No.', errors: [] } },
      });

      await run('create', 'keypair', '--name', '@home', '--public-key', `@${terminal.home}/id.pub`);
      await run(
        ...['create', 'instance', '--name', 'a', '--image', ID, '--flavor', ID],
        ...['--user-data', `@${terminal.home}/script`],
      );

      assert.deepEqual(gateway.seen[0]?.body, { name: '@home', public_key: key });
      const { user_data } = (gateway.seen[1]?.body ?? {}) as { user_data?: string };
      assert.equal(user_data, script);
    });

    it('names missing and invalid options without a request', async () => {
      const missing = await run('create', 'admin-flavor', '--name', 'small', ...size.slice(2));
      const invalid = await run(
        'create',
        'admin-flavor',
        '--name',
        'small',
        '--vcpus',
        'much',
        ...size.slice(2),
      );

      assert.deepEqual([missing.code, invalid.code], [2, 2]);
      assert.match(missing.stderr, /--vcpus/);
      assert.match(invalid.stderr, /not a number/);
      assert.deepEqual(lines(), []);
    });

    it('takes a secret from a pipe, never from an argument', async () => {
      gateway.answers({ 'POST /api/admin/users': { status: 201, body: { id: 'u' } } });

      const piped = await terminal.run(['create', 'admin-user', '--name', 'new', '--password'], {
        env,
        input: 'of-user\n',
      });
      const argument = await run('create', 'admin-user', '--name', 'new', '--password', 'of-user');

      assert.equal(piped.code, 0, piped.stderr);
      assert.deepEqual(gateway.seen[0]?.body, { name: 'new', password: 'of-user' });
      assert.equal(argument.code, 2);
      assert.equal(gateway.seen.length, 1);
    });
  });

  describe('of webhooks', () => {
    const other = new FakeGateway();
    const url = 'https://hooks.example.org/a';
    const bodies = () => gateway.seen.map(({ body }) => body);

    before(() => other.start());
    after(() => other.stop());

    beforeEach(() =>
      gateway.answers({
        'POST /api/webhooks': { status: 201, body: { id: ID } },
        [`PATCH /api/webhooks/${ID}`]: { body: { id: ID } },
        'POST /api/auth/login': { body: SESSION },
      }),
    );

    it('send the address only where it is given', async () => {
      const created = await run('create', 'webhook', '--url', url);
      const updated = await run('update', 'webhook', ID, '--description', 'x');
      const missing = await run('create', 'webhook');

      assert.deepEqual([created.code, updated.code, missing.code], [0, 0, 2], created.stderr);
      assert.deepEqual(bodies(), [{ url }, { description: 'x' }]);
      assert.equal(missing.stderr, 'gateway: Missing: --url.\n');
    });

    it('send no credentials to the address', async () => {
      const password = { GATEWAY_URL: gateway.url, GATEWAY_USERNAME: 'demo', GATEWAY_PASSWORD: 'secret' };

      await terminal.run(['create', 'webhook', '--url', other.url], { env: password });
      await run('update', 'webhook', ID, '--url', other.url);
      await terminal.run(['create', 'webhook', '--url', other.url], {
        env: { ...password, GATEWAY_URL: '' },
      });

      assert.deepEqual(other.seen, []);
      assert.ok(lines().includes('POST /api/webhooks') && lines().includes(`PATCH /api/webhooks/${ID}`));
    });

    it('take the address of the gateway as --gateway-url', async () => {
      const args = ['create', 'webhook', '--url', url, '--gateway-url', gateway.url];

      const { code, stderr } = await terminal.run(args, { env: { ...env, GATEWAY_URL: other.url } });

      assert.equal(code, 0, stderr);
      assert.deepEqual([bodies(), other.seen], [[{ url }], []]);
    });
  });

  describe('a refusal', () => {
    const cases = [
      [400, 'invalid_request', 2],
      [403, 'forbidden', 3],
      [404, 'not_found', 4],
      [409, 'quota_exceeded', 5],
      [429, 'rate_limited', 6],
      [503, 'service_unavailable', 6],
      [503, 'read_only', 6],
      [500, 'internal_error', 1],
    ] as const;
    for (const [status, code, exitCode] of cases) {
      it(`with ${status} ${code} exits with ${exitCode}`, async () => {
        gateway.answers({ [`GET /api/volumes/${ID}`]: refusal(status, code, 'So it is.') });

        const result = await run('show', 'volume', ID);

        assert.deepEqual(result, { code: exitCode, stdout: '', stderr: 'gateway: So it is. (req-test)\n' });
      });
    }

    it('names its job', async () => {
      const detail = 'The volume is not deleted yet. The job continues.';
      gateway.answers({ [`DELETE /api/volumes/${ID}`]: refusal(504, 'timeout', detail, { job_id: 'j1' }) });

      const { stderr } = await run('delete', 'volume', ID);

      const job = '"gateway jobs follow j1" shows the job.';
      assert.equal(stderr, `gateway: ${detail} ${job} (req-test)\n`);
    });

    it('names all invalid fields', async () => {
      const errors = [
        { field: 'name', message: 'It is empty.' },
        { field: 'vcpus', message: 'It is too large.' },
      ];
      gateway.answers({ 'POST /api/admin/flavors': refusal(400, 'invalid_request', 'Invalid.', { errors }) });

      const { stderr } = await run(
        'create',
        'admin-flavor',
        '--name',
        '',
        '--vcpus',
        '9',
        '--ram',
        '512',
        '--disk',
        '1',
      );

      assert.equal(stderr, 'gateway: Invalid. name: It is empty. vcpus: It is too large. (req-test)\n');
    });

    it('after the limit of Node.js says that the operation may continue', async () => {
      gateway.answers({ [`POST /api/instances/${ID}/stop`]: { isSilent: true } });
      // The one of Node.js itself, which waits for five minutes.
      const key = Symbol.for('undici.globalDispatcher.1');
      const dispatchers = globalThis as unknown as Record<symbol, object>;
      const dispatcher = dispatchers[key];
      const Agent = dispatcher?.constructor as new (options: object) => object;
      dispatchers[key] = new Agent({ headersTimeout: 100 });
      try {
        const { code, stderr } = await run('action', 'instance', 'stop', ID);

        assert.equal(code, 6);
        assert.match(stderr, /^gateway: The gateway has not answered .* may continue: "gateway jobs"/);
      } finally {
        if (dispatcher !== undefined) dispatchers[key] = dispatcher;
      }
    });

    it('of the connection exits with 6', async () => {
      const { code, stderr } = await run('list', 'images', '--url', 'http://127.0.0.1:1');

      assert.equal(code, 6);
      assert.match(stderr, /^gateway: The gateway cannot be reached: [^\n]+\.\n$/);
    });
  });

  describe('delete on a terminal', () => {
    const deletion = `DELETE /api/volumes/${ID}`;

    beforeEach(() =>
      gateway.answers({
        'GET /api/volumes': { body: [{ id: ID, name: 'data\u001b[2J' }] },
        [deletion]: { status: 204 },
      }),
    );

    for (const [answer, code, deletions] of [
      ['y', 0, [deletion]],
      ['', 130, []],
      ['n', 130, []],
    ] as const) {
      it(`asks, and takes "${answer}" for ${code === 0 ? 'yes' : 'no'}`, async () => {
        const result = await terminal.run(['delete', 'volume', ID], {
          env,
          types: [{ at: `Delete volume ${ID}? (y/N)`, text: answer }],
        });

        assert.equal(result.code, code, result.stderr);
        assert.deepEqual(lines(), deletions);
      });
    }

    for (const [action, options, question] of [
      ['volume force-delete', [], `Force-delete volume ${ID}? (y/N)`],
      ['instance rebuild', ['--image', ID], `Rebuild instance ${ID}? (y/N)`],
      ['admin-leftover remove', [ID], `Remove admin-leftover ${ID} ${ID}? (y/N)`],
      ['volume-backup restore', ['--volume', ID], `Restore volume-backup ${ID}? (y/N)`],
    ] as const) {
      it(`asks before ${action}, too`, async () => {
        const args = ['action', ...action.split(' '), ID, ...options];

        const { code } = await terminal.run(args, {
          env,
          columns: 120,
          types: [{ at: question, text: 'n' }],
        });

        assert.deepEqual([code, lines()], [130, []]);
      });
    }

    it('asks nothing before a restore into a new volume', async () => {
      const answer = refusal(409, 'conflict', 'No.');
      gateway.answers({ [`POST /api/volumes/backups/${ID}/restore/async`]: answer });

      const { code } = await terminal.run(['action', 'volume-backup', 'restore', ID], { env, types: [] });

      assert.deepEqual([code, lines().length], [5, 1]);
    });

    it('asks nothing with --yes', async () => {
      const { code } = await terminal.run(['delete', 'volume', ID, '--yes'], { env, types: [] });

      assert.deepEqual([code, lines()], [0, [deletion]]);
    });

    it('deletes nothing if one of the names is wrong', async () => {
      const { code } = await terminal.run(['delete', 'volume', ID, 'other', '--yes'], { env, types: [] });

      assert.deepEqual([code, lines()], [4, ['GET /api/volumes']]);
    });
  });

  describe('help', () => {
    it('is that of the command it names', async () => {
      const help = await run('help', 'list', 'instances');
      const option = await run('list', 'instance', '--help');

      assert.match(help.stdout, /^Usage: gateway list instances/);
      assert.deepEqual(help, option);
    });

    it('names no command that does not exist', async () => {
      const { code, stderr } = await run('help', 'list', 'imagse');

      assert.deepEqual([code, stderr], [2, 'gateway: There is no command "list imagse".\n']);
    });

    for (const columns of [40, 80, 120]) {
      it(`fits a terminal of ${columns} columns`, async () => {
        for (const help of [['--help'], ['help', 'create', 'instance']]) {
          const { stdout } = await terminal.run(help, { types: [], columns });

          const [_usage = '', ...lines] = stdout.split('\n');
          const tooWide = lines.filter((line) => line.length > columns && line.trim().includes(' '));
          assert.deepEqual(tooWide, []);
        }
      });
    }
  });

  it('that do not exist are refused in one line', async () => {
    const unknown = await run('list', 'imagse');

    assert.deepEqual(unknown, {
      code: 2,
      stdout: '',
      stderr: "gateway: unknown command 'imagse' (Did you mean one of image, images?)\n",
    });
  });

  it('have a version of their own', async () => {
    gateway.answers({ [`POST /api/lite/clusters/${ID}/upgrade`]: { status: 202, body: { id: ID } } });

    const { code } = await run('action', 'lite-cluster', 'upgrade', ID, '--version', 'v1.31');
    const program = await run('--version');

    assert.deepEqual([code, gateway.seen.map(({ body }) => body)], [0, [{ version: 'v1.31' }]]);
    assert.match(program.stdout, /^\d+\.\d+\.\d+\n$/);
  });

  describe('api', () => {
    it('sends any request, and prints the body as it is', async () => {
      gateway.answers({ 'POST /api/any': { status: 201, body: { b: 1, a: [2] } } });

      const { code, stdout } = await run(
        ...['api', 'post', '/api/any?x=1', '--query', 'y=a b', '-H', 'x-trial: yes', '-d', '{"n":1}'],
      );

      assert.equal(code, 0);
      assert.equal(stdout, '{"b":1,"a":[2]}\n');
      const [{ line, body, headers } = { line: '', body: null, headers: {} }] = gateway.seen;
      assert.deepEqual([line, body, headers['x-trial']], ['POST /api/any?x=1&y=a+b', { n: 1 }, 'yes']);
    });

    it('sends the whole path as it was typed', async () => {
      for (const [typed, sent] of [
        ['laptop old', 'laptop%20old'],
        ['laptop ', 'laptop%20'],
        ['laptop\told\n', 'laptop%09old%0A'],
        ['laptop#2', 'laptop%232'],
        ['lap\\top', 'lap%5Ctop'],
        ['{laptop}', '%7Blaptop%7D'],
        ['a%20b?x={y} z', 'a%20b?x=%7By}%20z'],
      ]) {
        gateway.answers({ [`DELETE /api/keypairs/${sent}`]: { status: 204 } });

        await run('api', 'DELETE', `/api/keypairs/${typed}`);

        assert.deepEqual(lines(), [`DELETE /api/keypairs/${sent}`]);
      }
    });

    it('sends the token to the gateway only', async () => {
      gateway.answers({});

      const { code } = await run('api', 'GET', 'http://other.example.org/');

      assert.equal(code, 2);
      assert.deepEqual(lines(), []);
    });
  });
});
