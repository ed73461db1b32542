import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../../packages/cli/src/output/private-file.ts';
import { SESSION } from './cli-suite.ts';
import { FakeGateway, refusal } from './fake-gateway.ts';
import { Terminal } from './terminal.ts';

const SECRET = 'very-secret';

describe('the session of the command line', () => {
  const gateway = new FakeGateway();
  let terminal: Terminal;

  before(() => gateway.start());
  after(() => gateway.stop());

  beforeEach(() => {
    terminal = new Terminal();
    gateway.answers({ 'POST /api/auth/login': { body: SESSION }, 'GET /api/images': { body: [] } });
  });

  afterEach(() => terminal.remove());

  const logIn = (...more: string[]) => ['login', '--url', gateway.url, '--username', 'demo', ...more];
  const file = () => join(terminal.folder, 'session.json');

  it('asks for the password without echo', async () => {
    const { code, stdout, stderr } = await terminal.run(logIn('--user-domain', 'd', '--project', 'p'), {
      types: [{ at: 'Password:', text: SECRET }],
    });

    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout + stderr, new RegExp(SECRET));
    assert.deepEqual(gateway.seen[0]?.body, {
      username: 'demo',
      password: SECRET,
      user_domain: 'd',
      project_name: 'p',
    });
    assert.match(gateway.seen[0]?.headers['user-agent'] ?? '', /^gateway-cli\//);
  });

  it('asks for a passcode, and again after a wrong one', async () => {
    const receipt = 'receipt-1';
    gateway.answers({
      'POST /api/auth/login': ({ body }) => {
        const { passcode } = body as { passcode?: string };
        if (passcode === '123456') return { body: SESSION };
        if (passcode !== undefined) return refusal(401, 'wrong_passcode', 'The passcode is wrong.');
        return refusal(401, 'totp_required', 'A passcode is required.', { receipt });
      },
    });

    const { code, stderr } = await terminal.run(logIn(), {
      types: [
        { at: 'Password:', text: SECRET },
        { at: 'Passcode:', text: '000000' },
        { at: 'The passcode is wrong.' },
        { at: 'Passcode:', text: '123456' },
      ],
    });

    assert.equal(code, 0, stderr);
    assert.deepEqual(gateway.seen.at(-1)?.body, { receipt, passcode: '123456' });
  });

  it('logs in as a program', async () => {
    const { code } = await terminal.run(['login', '--url', gateway.url, '--application-credential', 'c1'], {
      input: `${SECRET}\n`,
    });

    assert.equal(code, 0);
    assert.deepEqual(gateway.seen[0]?.body, { application_credential: { id: 'c1', secret: SECRET } });
  });

  it('stores the session for the user only, also in an open folder', async () => {
    mkdirSync(terminal.folder);
    chmodSync(terminal.folder, 0o755);
    writeFileSync(file(), '{}', { mode: 0o644 });

    await terminal.run(logIn(), { input: SECRET });

    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.equal(statSync(terminal.folder).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(terminal.folder), ['session.json']);
    assert.doesNotMatch(readFileSync(file(), 'utf8'), new RegExp(SECRET));
  });

  it('prints a refusal with the request id, and changes no stored session', async () => {
    await terminal.run(logIn(), { input: SECRET });
    gateway.answers({ 'POST /api/auth/login': refusal(401, 'unauthorized', 'The log-in is wrong.') });

    const result = await terminal.run(logIn(), { input: SECRET });

    assert.deepEqual(result, { code: 3, stdout: '', stderr: 'gateway: The log-in is wrong. (req-test)\n' });
    assert.equal(JSON.parse(readFileSync(file(), 'utf8')).token, 'token-1');
  });

  it('does not send the token to another gateway', async () => {
    await terminal.run(logIn(), { input: SECRET });
    const other = new FakeGateway();
    await other.start();
    try {
      const { code } = await terminal.run(['list', 'images', '--url', other.url]);

      assert.equal(code, 3);
      assert.deepEqual(other.seen, []);
    } finally {
      await other.stop();
    }
  });

  it('refuses an address with a password, without printing it', async () => {
    const { code, stderr } = await terminal.run([
      'login',
      '--url',
      `https://demo:${SECRET}@gateway.example.org`,
    ]);

    assert.equal(code, 2);
    assert.doesNotMatch(stderr, new RegExp(SECRET));
  });

  it('does not use the password of an openrc file for another user', async () => {
    const env = { OS_USERNAME: 'alice', OS_PASSWORD: 'of-alice' };

    await terminal.run(logIn(), { env, input: SECRET });
    await terminal.run(['login', '--url', gateway.url], { env });

    const [first, second] = gateway.seen.map(({ body }) => body);
    assert.deepEqual(first, { username: 'demo', password: SECRET });
    assert.deepEqual(second, { username: 'alice', password: 'of-alice' });
  });

  for (const [name, value] of [
    ['GATEWAY_PROJECT', 'test'],
    ['GATEWAY_PROJECT_ID', 'p2'],
    ['GATEWAY_USERNAME', 'bob'],
    ['GATEWAY_APPLICATION_CREDENTIAL_ID', 'c2'],
  ] as const) {
    it(`refuses another ${name} than that of the stored session`, async () => {
      await terminal.run(logIn(), { input: SECRET });
      gateway.seen.length = 0;

      const { code, stderr } = await terminal.run(['list', 'images'], { env: { [name]: value } });

      assert.deepEqual([code, gateway.seen], [2, []]);
      const session = 'the stored session is that of demo in the project demo';
      assert.ok(stderr.startsWith(`gateway: ${name} is "${value}", but ${session}`), stderr);
    });
  }

  it('accepts variables that name what the stored session has', async () => {
    const login = ['login', '--url', gateway.url, '--application-credential', 'c1'];
    await terminal.run(login, { input: SECRET });
    const named: Record<string, string>[] = [
      { GATEWAY_PROJECT: 'demo', GATEWAY_PROJECT_ID: 'p1' },
      { GATEWAY_PROJECT: 'p1', GATEWAY_USERNAME: 'demo' },
      { GATEWAY_APPLICATION_CREDENTIAL_ID: 'c1' },
    ];

    for (const env of named) {
      const { code, stderr } = await terminal.run(['list', 'images'], { env });
      assert.equal(code, 0, stderr);
    }
  });

  it('takes token and project from the environment', async () => {
    const env = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: 'token-2', GATEWAY_PROJECT_ID: 'p2' };

    const { code } = await terminal.run(['list', 'images'], { env });

    assert.equal(code, 0);
    assert.equal(gateway.seen[0]?.headers['x-auth-token'], 'token-2');
    assert.equal(gateway.seen[0]?.headers['x-project-id'], 'p2');
  });

  it('ends a session that it has begun for one command', async () => {
    const env = { GATEWAY_URL: gateway.url, GATEWAY_USERNAME: 'demo', GATEWAY_PASSWORD: SECRET };

    await terminal.run(['list', 'images'], { env });

    assert.deepEqual(
      gateway.seen.map(({ line }) => line),
      ['POST /api/auth/login', 'GET /api/images', 'POST /api/auth/logout'],
    );
  });

  it('ends a session that it has begun for one command after Ctrl-C', async () => {
    const env = { GATEWAY_URL: gateway.url, GATEWAY_USERNAME: 'demo', GATEWAY_PASSWORD: SECRET };
    let interrupted: () => void = () => {};
    const asked = 'GET /api/images';
    gateway.answers({
      'POST /api/auth/login': { body: SESSION },
      [asked]: () => {
        interrupted();
        return { isSilent: true };
      },
    });

    const { code } = await terminal.run(['list', 'images'], {
      env,
      onStart: (interrupt) => {
        interrupted = interrupt;
      },
    });

    const [, , logOut] = gateway.seen;
    assert.equal(code, 130);
    assert.deepEqual([logOut?.line, logOut?.headers['x-auth-token']], ['POST /api/auth/logout', 'token-1']);
  });

  it('ends a session that it cannot switch to the wanted project', async () => {
    const env = {
      GATEWAY_URL: gateway.url,
      GATEWAY_USERNAME: 'demo',
      GATEWAY_PASSWORD: SECRET,
      GATEWAY_PROJECT_ID: 'p9',
    };
    gateway.answers({
      'POST /api/auth/login': { body: SESSION },
      'POST /api/auth/token': refusal(403, 'forbidden', 'You have no role there.'),
    });

    const { code } = await terminal.run(['list', 'images'], { env });

    assert.equal(code, 3);
    assert.deepEqual(
      gateway.seen.map(({ line }) => line),
      ['POST /api/auth/login', 'POST /api/auth/token', 'POST /api/auth/logout'],
    );
  });

  it('ends a command although its log-out is not answered', async () => {
    const env = { GATEWAY_URL: gateway.url, GATEWAY_USERNAME: 'demo', GATEWAY_PASSWORD: SECRET };
    gateway.answers({
      'POST /api/auth/login': { body: SESSION },
      'GET /api/images': { body: [] },
      'POST /api/auth/logout': { isSilent: true },
    });

    const { code } = await terminal.run(['list', 'images'], { env });

    assert.equal(code, 0);
  });

  for (const [named, env, prompt] of [
    [['--username', 'bob'], { GATEWAY_USERNAME: 'alice', GATEWAY_PASSWORD: SECRET }, 'Password:'],
    [
      ['--application-credential', 'id-2'],
      { GATEWAY_APPLICATION_CREDENTIAL_ID: 'id-1', GATEWAY_APPLICATION_CREDENTIAL_SECRET: SECRET },
      'Secret:',
    ],
  ] as const) {
    it(`asks for the secret of ${named.join(' ')}, not that of the environment`, async () => {
      const { code, stderr } = await terminal.run(['login', '--url', gateway.url, ...named], {
        env,
        types: [{ at: prompt, text: 'of-another' }],
      });

      assert.equal(code, 0, stderr);
      assert.match(JSON.stringify(gateway.seen[0]?.body), /"of-another"/);
      assert.doesNotMatch(JSON.stringify(gateway.seen[0]?.body), new RegExp(SECRET));
    });
  }

  it('keeps a kubeconfig from others who could read the file', async () => {
    const env = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: 'token-1', GATEWAY_PROJECT_ID: 'p1' };
    const output = join(terminal.folder, 'kubeconfig.yaml');
    mkdirSync(terminal.folder, { recursive: true });
    writeFileSync(output, 'old', { mode: 0o644 });
    const reader = openSync(output, 'r');
    const id = '11111111-1111-4111-8111-111111111111';
    gateway.answers({
      [`GET /api/lite/clusters/${id}/kubeconfig`]: {
        body: 'apiVersion: v1\n',
        headers: { 'content-type': 'text/yaml' },
      },
    });

    const { code, stderr } = await terminal.run(['kubeconfig', id, '--output', output], { env });

    assert.equal(code, 0, stderr);
    assert.equal(readFileSync(output, 'utf8'), 'apiVersion: v1\n');
    assert.equal(statSync(output).mode & 0o777, 0o600);
    assert.equal(readFileSync(reader, 'utf8'), 'old');
    closeSync(reader);
  });

  it('keeps links, and writes to what is no file', async () => {
    mkdirSync(terminal.folder, { recursive: true });
    const [link, device, target] = ['link', 'device', 'target'].map((name) => join(terminal.folder, name));
    writeFileSync(target ?? '', 'old', { mode: 0o644 });
    symlinkSync(target ?? '', link ?? '');
    symlinkSync('/dev/null', device ?? '');

    for (const path of [link ?? '', device ?? '']) writePrivateFile(path, 'new');

    assert.deepEqual([readlinkSync(link ?? ''), readlinkSync(device ?? '')], [target, '/dev/null']);
    assert.equal(readFileSync(target ?? '', 'utf8'), 'new');
    assert.equal(statSync(target ?? '').mode & 0o777, 0o600);
  });

  it('reports an ended session, and removes it with a log-out', async () => {
    await terminal.run(logIn(), { input: SECRET });
    const ended = refusal(401, 'session_expired', 'The session has ended.');
    gateway.answers({ 'GET /api/images': ended, 'POST /api/auth/logout': ended });

    const list = await terminal.run(['list', 'images']);
    const logout = await terminal.run(['logout']);

    assert.equal(list.code, 3);
    assert.match(list.stderr, /^gateway: Your session has ended: log in again/);
    assert.equal(logout.code, 0, logout.stderr);
    assert.deepEqual(readdirSync(terminal.folder), []);
  });

  it('switches the project', async () => {
    await terminal.run(logIn(), { input: SECRET });
    gateway.answers({
      'GET /api/auth/projects': { body: [{ id: 'p9', name: 'other' }] },
      'POST /api/auth/token': {
        body: { ...SESSION, token: 'token-9', project_id: 'p9', project_name: 'other' },
      },
    });

    const { code, stderr } = await terminal.run(['use', 'other']);

    assert.equal(code, 0, stderr);
    const { token, project_id, url } = JSON.parse(readFileSync(file(), 'utf8'));
    assert.deepEqual([token, project_id, url], ['token-9', 'p9', gateway.url]);
  });
});
