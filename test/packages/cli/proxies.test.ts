import assert from 'node:assert/strict';
import { unusedProxyNote } from '../../../packages/cli/src/proxies.ts';
import { ConnectProxy } from '../../support/doubles/connect-proxy.ts';
import { FakeGateway } from './fake-gateway.ts';
import { Terminal } from './terminal.ts';

const SESSION = {
  token: 'token-1',
  project_id: 'p1',
  project_name: 'demo',
  username: 'demo',
  user_id: 'u1',
  roles: ['member'],
};

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

  it('says where a proxy has no effect', () => {
    const proxies = { https_proxy: 'http://proxy:3128' };

    assert.match(unusedProxyNote(proxies, false), /^ https_proxy has no effect with Node\.js v/);
    assert.equal(unusedProxyNote({ ...proxies, NODE_USE_ENV_PROXY: '1' }, false), '');
    assert.equal(unusedProxyNote(proxies, true), '');
    assert.equal(unusedProxyNote({}, false), '');
  });
});
