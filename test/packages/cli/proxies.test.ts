import assert from 'node:assert/strict';
import { unusedProxyNote } from '../../../packages/cli/src/errors/proxy-note.ts';
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

  it('says that a proxy has refused', async () => {
    proxy.isRefusing = true;

    const { code, stderr } = await terminal.run(
      ['login', '--url', 'https://gateway.invalid', '--username', 'demo'],
      { input: 'secret\n', env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } },
    );

    const reason = 'the proxy has refused the connection with 403';
    assert.deepEqual([code, stderr], [6, `gateway: The gateway cannot be reached: ${reason}.\n`]);
  });

  it('says where a proxy has no effect', () => {
    const proxies = { https_proxy: 'http://proxy:3128' };

    assert.match(unusedProxyNote(proxies, false), /^ https_proxy has no effect with Node\.js v/);
    assert.equal(unusedProxyNote({ ...proxies, NODE_USE_ENV_PROXY: '1' }, false), '');
    assert.equal(unusedProxyNote(proxies, true), '');
    assert.equal(unusedProxyNote({}, false), '');
  });
});
