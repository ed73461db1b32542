import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { ForwardingServer } from '../support/doubles/forwarding-server.ts';
import { eventually } from '../support/eventually.ts';
import { prepareMember } from '../support/projects/prepared-member.ts';
import { requireProgram } from '../support/skip-without.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

/** A proxy that serves a gateway below `/gw`, and nothing beside it. */
class ProxyBelowPath extends ForwardingServer {
  /** The addresses outside of the path that somebody has asked for. */
  readonly strays: string[] = [];

  static start(): Promise<ProxyBelowPath> {
    return new ProxyBelowPath().listen();
  }

  protected override answer(request: IncomingMessage, response: ServerResponse): void {
    const { headers, url = '' } = request;
    if (!url.startsWith('/gw/')) {
      this.strays.push(url);
      response.writeHead(404).end();
      return;
    }
    request.url = url.slice('/gw'.length);
    headers['x-forwarded-prefix'] = '/gw';
    this.pass(request, response, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
  }
}

describe("a read-only operators' page below a path, in a browser", function () {
  this.timeout(300_000);
  let proxy: ProxyBelowPath;
  let stack: Stack;
  let page: ChromiumPage;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    proxy = await ProxyBelowPath.start();
    stack = await startTestStack({
      ...simulatedCloud,
      startsJobs: false,
      config: { ops: { enabled: true }, http: { trusted_proxies: ['127.0.0.1'] } },
    });
    proxy.passTo(stack.url);
    page = await ChromiumPage.open(chromium, `${proxy.url}/gw/ops`);
  });

  after(async () => {
    await page?.close();
    await stack?.stop();
    await proxy?.stop();
  });

  const waitFor = (condition: string) =>
    eventually(async () => await page.evaluate<boolean>(condition), 30_000).catch(async (error: unknown) => {
      const shown = await page.evaluate<string>('[location, document.body.innerText].join(" ")');
      throw new Error(`${condition} did not become true at ${shown}`, { cause: error });
    });
  const has = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;
  const isReady = (path: string) =>
    `location.pathname === ${JSON.stringify(path)} && document.querySelector('main').dataset.ready === 'true'`;
  const fill = (values: Record<string, string>) =>
    page.evaluate(`{
      for (const [name, value] of Object.entries(${JSON.stringify(values)}))
        document.querySelector(\`[name=\${name}]\`).value = value;
      document.querySelector('form').requestSubmit();
    }`);

  it('changes an expired password, and then asks for a log-in', async () => {
    const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    const control = new CloudsimControl(stack.cloudsim?.url ?? '');
    const { cloud, login, remove } = await prepareMember(stack.identityUrl ?? '', admin);
    const { password, username } = login;
    await control.set({ changePasswordUponFirstUse: true });
    await admin.call('identity', 'PATCH', `/users/${cloud.userId}`, { user: { password } });
    await control.set({ changePasswordUponFirstUse: false });
    const changed = { current_password: password, new_password: 'new-1', repeated_password: 'new-1' };
    await waitFor(`location.pathname === '/gw/ops/login' && document.querySelector('form') !== null`);

    await fill({ username, password });
    await waitFor(`document.querySelector('[name=repeated_password]') !== null`);
    assert.equal(await page.evaluate(`document.querySelector('[name=username]').value`), username);
    await fill({ ...changed, repeated_password: 'new-2' });
    await waitFor(has('The new passwords differ.'));
    await fill({ ...changed, current_password: 'wrong' });
    await waitFor(has('password or domain is wrong'));
    await fill(changed);
    await waitFor(has('The password has been changed.'));
    await fill({ password: 'new-1' });
    await waitFor(has('This page is for administrators.'));

    assert.equal(await page.evaluate(`document.querySelector('[name=username]').value`), username);
    await remove();
  });

  it('leads through all pages, without a button that changes anything', async () => {
    const { password, username } = testLogin('admin');
    await fill({ username, password });
    await waitFor(isReady('/gw/ops'));
    const buttons: string[] = [];

    for (const view of ['jobs', 'queues', 'health', 'sessions', 'overview']) {
      await page.evaluate(`document.querySelector('header a[data-view=${view}]').click()`);
      await waitFor(isReady(view === 'overview' ? '/gw/ops' : `/gw/ops/${view}`));
      assert.equal(await page.evaluate(`document.querySelector('#problem').hidden`), true);
      buttons.push(
        ...(await page.evaluate<string[]>(`[...document.querySelectorAll('button')]
          .filter((button) => button.checkVisibility()).map((button) => button.innerText.trim())`)),
      );
    }

    // `Open` shows a job.
    assert.deepEqual([...new Set(buttons)].sort(), ['Log out', 'Open', 'Show']);
    assert.match(await page.evaluate(`document.querySelector('.user').innerText`), /^admin \(read-only\)$/);
  });

  it('logs out, having asked for nothing beside its path', async () => {
    await page.evaluate(`document.querySelector('#log-out').click()`);

    await waitFor(`location.pathname === '/gw/ops/login'`);
    assert.equal(await page.evaluate(`fetch('/gw/api/auth/me').then(({ status }) => status)`), 401);
    assert.deepEqual(proxy.strays, []);
    assert.deepEqual(page.problems, []);
  });
});
