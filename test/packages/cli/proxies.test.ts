import assert from 'node:assert/strict';
import { unusedProxyNote } from '../../../packages/cli/src/errors/proxy-note.ts';
import { isProxyException } from '../../../packages/cli/src/proxy-exceptions.ts';
import { ConnectProxy } from '../../support/doubles/connect-proxy.ts';
import { SESSION } from './cli-suite.ts';
import { FakeGateway } from './fake-gateway.ts';
import { Terminal } from './terminal.ts';

describe('the command line in a network with proxies', () => {
  const gateway = new FakeGateway();
  let terminal: Terminal;
  let proxy: ConnectProxy;

  before(() => gateway.start());
  after(() => gateway.stop());

  beforeEach(async () => {
    terminal = new Terminal();
    proxy = await ConnectProxy.start();
    gateway.answers({ 'POST /api/auth/login': { body: SESSION } });
  });

  afterEach(async () => {
    terminal.remove();
    await proxy.stop();
  });

  /** Logs in at the gateway under a name that only the proxy knows. */
  function logIn(env: Record<string, string>) {
    const url = new URL(gateway.url);
    url.hostname = 'gateway.invalid';
    const HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
    return terminal.run(['login', '--url', url.origin, '--username', 'demo'], {
      input: 'secret\n',
      env: { HTTP_PROXY, ...env },
    });
  }

  it('reaches the gateway through the proxy', async () => {
    const { code, stderr } = await logIn({});

    assert.equal(code, 0, stderr);
    assert.equal(proxy.targets.length, 1);
    assert.match(proxy.targets[0] ?? '', /gateway\.invalid/);
  });

  it('reaches the gateway of a stored session through the proxy', async () => {
    await logIn({});
    gateway.answers({
      'GET /api/auth/projects': { body: [{ id: 'p1', name: 'demo' }] },
      'POST /api/auth/token': { body: SESSION },
      'POST /api/auth/logout': { body: {} },
    });
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, GATEWAY_TOKEN: 'other' };

    const use = await terminal.run(['use', 'demo'], { env });
    const logout = await terminal.run(['logout'], { env });

    assert.deepEqual([use.code, logout.code], [0, 0], use.stderr + logout.stderr);
    const last = gateway.seen.at(-1);
    assert.deepEqual([last?.line, last?.headers['x-auth-token']], ['POST /api/auth/logout', 'token-1']);
  });

  it('does not ask the proxy for hosts of NO_PROXY, nor afterwards', async () => {
    const { code, stderr } = await logIn({ NO_PROXY: '.invalid' });

    assert.notEqual(code, 0);
    assert.match(stderr, /The gateway cannot be reached: .*gateway\.invalid/);
    await terminal.run(['login', '--url', gateway.url, '--username', 'demo'], { input: 'x\n' });
    assert.deepEqual(proxy.targets, []);
  });

  it('takes the address of a proxy without its scheme', async () => {
    const { code, stderr } = await logIn({ HTTP_PROXY: `127.0.0.1:${proxy.port}` });

    assert.equal(code, 0, stderr);
    assert.equal(proxy.targets.length, 1);
  });

  it('refuses what is no address, without printing it', async () => {
    for (const HTTP_PROXY of ['http://demo:hidden@proxy:99999', 'socks5://demo:hidden@proxy']) {
      const { code, stderr } = await logIn({ HTTP_PROXY });

      assert.equal(code, 2);
      assert.match(stderr, /^gateway: HTTP_PROXY is no address of an HTTP proxy/);
      assert.doesNotMatch(stderr, /hidden/);
    }
  });

  it('refuses an invalid proxy only where it would be used', async () => {
    const env = { HTTP_PROXY: 'socks5://proxy', HTTPS_PROXY: 'socks5://proxy' };

    for (const args of [['--version'], ['login', '--help']]) {
      const { code, stderr } = await terminal.run(args, { env });
      assert.equal(code, 0, stderr);
    }
    const { stderr } = await logIn({ ...env, NO_PROXY: 'gateway.invalid' });
    assert.match(stderr, /The gateway cannot be reached/);
  });

  it('does not ask the proxy for a gateway of its own machine', async () => {
    const { code, stderr } = await terminal.run(['login', '--url', gateway.url, '--username', 'demo'], {
      input: 'secret\n',
      env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` },
    });

    assert.deepEqual([code, proxy.targets], [0, []], stderr);
  });

  it('takes the exceptions that other programs take', () => {
    const list = '10.0.0.0/8, fd00::/8 192.0.2.1-192.0.2.9,.example.org,cloud,10.0.0.0/,0.0.0.0/99';
    const isException = (host: string) => isProxyException(host, list);

    const exceptions = [
      '10.20.0.5',
      '[fd00::1]',
      '192.0.2.7',
      'a.example.org',
      'cloud',
      'localhost',
      '[::1]',
    ];
    assert.deepEqual(exceptions.filter(isException), exceptions);
    const others = ['11.0.0.1', '[fe80::1]', '192.0.2.10', 'badexample.org', 'cloud.example.com'];
    assert.deepEqual(others.filter(isException), []);
    assert.equal(isProxyException('192.0.2.1', '*'), true);
  });

  it('says that a proxy has refused', async () => {
    proxy.isRefusing = true;

    const { code, stderr } = await terminal.run(
      ['login', '--url', 'https://gateway.invalid', '--username', 'demo'],
      { input: 'secret\n', env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } },
    );

    const reason = 'the proxy has refused the tunnel (CONNECT) to it with 403';
    assert.deepEqual([code, stderr], [6, `gateway: The gateway cannot be reached: ${reason}.\n`]);
  });

  it('says where a proxy has no effect', () => {
    const proxies = { https_proxy: 'http://proxy:3128' };

    assert.match(unusedProxyNote(proxies, false), /^ https_proxy has no effect with Node\.js v/);
    assert.equal(unusedProxyNote({ ...proxies, NODE_USE_ENV_PROXY: '1' }, false), '');
    assert.equal(unusedProxyNote(proxies, true), '');
    assert.equal(unusedProxyNote({}, false), '');
    assert.equal(unusedProxyNote({ ALL_PROXY: 'proxy' }, true), ' ALL_PROXY has no effect: set HTTPS_PROXY.');
  });
});
