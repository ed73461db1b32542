import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { type PageServer, servePages } from '../support/browser/page-server.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { installPackedClient } from '../support/clients/packed-client.ts';
import type { PackedProject } from '../support/clients/packed-project.ts';
import { SilentProxy } from '../support/doubles/silent-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { requireProgram } from '../support/skip-without.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

/** Longer than the gateway is silent between two heartbeats. */
const options = { idleTimeoutMs: 4_000, maxDelayMs: 500 };

/** Three tabs with five lists each, which share the six connections that a browser opens to an address. */
describe('the lists of three tabs over HTTP/1.1', function () {
  this.timeout(300_000);
  let project: PackedProject;
  let pages: PageServer;
  let stack: Stack;
  let proxy: SilentProxy;
  let tabs: ChromiumPage[] = [];
  let gateway: GatewayClient;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    project = await installPackedClient();
    pages = await servePages(import.meta.dirname, project.folder);
    const http = { cors_origins: [pages.origin], heartbeat_seconds: 1 };
    stack = await startTestStack({ config: { http } });
    proxy = await SilentProxy.start(stack.url);
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const address = `${pages.origin}/watched-lists.html`;
    tabs = [await ChromiumPage.open(chromium, address)];
    for (let count = 2; count <= 3; count += 1) tabs.push((await tabs[0]?.openTab(address)) as ChromiumPage);
  });

  after(async () => {
    await tabs[0]?.close();
    await proxy?.close();
    await stack?.stop();
    await pages?.close();
    project?.remove();
  });

  it('catch up after the api was killed and a proxy was silent', async () => {
    const { password, projectName, username } = testLogin('demo');
    const login = { username, password, project_name: projectName };
    for (const tab of tabs) {
      await tab.evaluate(`watchLists(...${JSON.stringify([proxy.url, login, options])})`);
      await eventually(async () => (await tab.evaluate<number>('Object.keys(lists).length')) === 5);
    }

    proxy.fallSilent();
    await stack.apis[0]?.kill('SIGKILL');
    await stack.apis[0]?.restart();
    const created = await gateway.request<{ id: string }>('POST', '/api/volumes', {
      name: 'e2e-watched',
      size_gb: 1,
    });
    const attempts = () =>
      tabs.map(({ requests }) => requests.filter((line) => line.includes('/api/events')).length);
    const before = attempts();
    // Each tab replaces the connection that it had, and one that was never answered.
    await eventually(async () => attempts().every((count, tab) => count >= (before[tab] ?? 0) + 2));
    assert.equal(created.status, 201, created.text);
    proxy.passOn();

    const isShown = `lists['GET /api/volumes'].some(({ id }) => id === '${created.body.id}')`;
    for (const tab of tabs) {
      await eventually(async () => await tab.evaluate<boolean>(isShown));
    }
    const deleted = await gateway.request('DELETE', `/api/volumes/${created.body.id}`);
    assert.equal(deleted.status, 204);
    for (const tab of tabs) {
      await eventually(async () => ((await tab.evaluate<boolean>(isShown)) ? undefined : true));
    }
  });
});
