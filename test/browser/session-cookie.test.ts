import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { type PageServer, servePages } from '../support/browser/page-server.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { requireProgram } from '../support/skip-without.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

/** What a dashboard does at the gateway's own origin. */
const DASHBOARD = `
  globalThis.send = async (method, path, body, csrf = true) => {
    const headers = { ...(body && { 'Content-Type': 'application/json' }), ...(csrf && { 'X-Gateway-CSRF': '1' }) };
    const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, body: isJson ? JSON.parse(text) : null };
  };
  /** The steps of a job, from a stream without a ticket. */
  globalThis.follow = (jobId) => new Promise((resolve, reject) => {
    const steps = [];
    const source = new EventSource('/api/jobs/' + jobId + '/events');
    source.onerror = () => reject(new Error('The stream failed after ' + steps.join()));
    source.onmessage = ({ data }) => {
      steps.push(JSON.parse(data).step);
      if (!['COMPLETED', 'FAILED'].includes(steps.at(-1))) return;
      source.close();
      resolve(steps);
    };
  });
`;

interface Sent {
  status: number;
  body: { code?: string; token?: string; username?: string } | null;
}

describe('a session in a cookie, in a browser', function () {
  this.timeout(300_000);
  let stack: Stack;
  let page: ChromiumPage;
  let foreign: PageServer;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    foreign = await servePages(import.meta.dirname);
    stack = await startTestStack({ config: { session: { cookies: true } } });
    page = await ChromiumPage.open(chromium, `${stack.url}/api/docs/`);
    await page.evaluate(DASHBOARD);
  });

  after(async () => {
    await page?.close();
    await stack?.stop();
    await foreign?.close();
  });

  const send = (...given: unknown[]) => page.evaluate<Sent>(`send(...${JSON.stringify(given)})`);

  it('serves a dashboard whose scripts see no token', async () => {
    const { password, projectName, username } = testLogin('demo');
    const login = { username, password, project_name: projectName, use_cookie: true };

    const loggedIn = await send('POST', '/api/auth/login', login);

    assert.deepEqual([loggedIn.status, loggedIn.body?.token], [200, '']);
    assert.equal(await page.evaluate('document.cookie'), '');
    const me = await send('GET', '/api/auth/me', undefined, false);
    assert.deepEqual([me.status, me.body?.username], [200, username]);
    const refused = await send('POST', '/api/auth/extend-session', undefined, false);
    assert.deepEqual([refused.status, refused.body?.code], [403, 'csrf_refused']);
    assert.equal((await send('POST', '/api/auth/extend-session')).status, 200);
  });

  it('follows a job without a ticket', async () => {
    const other = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const request = await other.smallInstanceRequest('e2e-cookie');
    const created = await page.evaluate<string>(`
      fetch('/api/instances/async', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Gateway-CSRF': '1' },
        body: ${JSON.stringify(JSON.stringify(request))},
      }).then((response) => response.headers.get('x-job-id'))`);

    const steps = await page.evaluate<string[]>(`follow(${JSON.stringify(created)})`);

    assert.equal(steps.at(-1), 'COMPLETED', steps.join());
    const [instance] = (await other.read<{ id: string; name: string }[]>('/api/instances')).filter(
      ({ name }) => name === 'e2e-cookie',
    );
    assert.equal((await send('DELETE', `/api/instances/${instance?.id}`)).status, 204);
  });

  it('does not serve a page of another port of the host', async () => {
    await page.load(`${foreign.origin}/client.html`);

    const outcomes = await page.evaluate<string[]>(`(async () => {
      const url = ${JSON.stringify(stack.url)};
      const attempt = (path, options) =>
        fetch(url + path, { credentials: 'include', ...options }).then(({ type }) => type, () => 'refused');
      return [
        await attempt('/api/auth/me', {}),
        await attempt('/api/auth/logout', { method: 'POST', headers: { 'X-Gateway-CSRF': '1' } }),
        await attempt('/api/auth/logout', { method: 'POST', mode: 'no-cors' }),
        await attempt('/api/auth/sessions', { method: 'DELETE', headers: { 'X-Gateway-CSRF': '1' } }),
      ];
    })()`);

    assert.deepEqual(outcomes, Array(4).fill('refused'));
    await page.load(`${stack.url}/api/docs/`);
    await page.evaluate(DASHBOARD);
    assert.equal((await send('GET', '/api/auth/me')).status, 200, 'the session goes on');
  });

  it('ends with a log-out', async () => {
    assert.equal((await send('POST', '/api/auth/logout')).status, 204);

    assert.equal((await send('GET', '/api/auth/me')).status, 401);
  });
});
