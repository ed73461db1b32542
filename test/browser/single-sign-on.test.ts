import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { freePort } from '../../scripts/free-port.ts';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { type PageServer, servePages } from '../support/browser/page-server.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { installPackedClient } from '../support/clients/packed-client.ts';
import type { PackedProject } from '../support/clients/packed-project.ts';
import { TestBrowser } from '../support/clients/test-browser.ts';
import { eventually } from '../support/eventually.ts';
import { requireProgram } from '../support/skip-without.ts';
import { simulatedCloud, startTestStack } from '../support/stacks/test-stack.ts';

/** A dashboard of another origin than the gateway, and a page that nobody trusts. */
describe('single sign-on in a browser', function () {
  this.timeout(300_000);
  let chromium: string;
  let project: PackedProject;
  let dashboard: PageServer;
  let evil: PageServer;
  let stack: Stack;
  let page: ChromiumPage;

  before(async function () {
    chromium = await requireProgram('chromium', 'chromium', this);
    project = await installPackedClient();
    dashboard = await servePages(import.meta.dirname, project.folder);
    evil = await servePages(import.meta.dirname, project.folder);
    const port = await freePort();
    stack = await startTestStack({
      ...simulatedCloud,
      startsJobs: false,
      ports: { api: port },
      config: {
        sso: {
          providers: [
            { id: 'company', name: 'Company account', identity_provider: 'testidp', protocol: 'openid' },
          ],
          dashboards: [`${dashboard.origin}/sign-on.html`],
        },
        http: { cors_origins: [dashboard.origin] },
        public_endpoint: { url: `http://127.0.0.1:${port}` },
        ops: { enabled: true },
      },
    });
    const trustedDashboards = [`${stack.url}/api/auth/sso/callback`];
    await new CloudsimControl(stack.cloudsim?.url ?? '').set({ trustedDashboards });
    page = await ChromiumPage.open(chromium, dashboardPage());
  });

  after(async () => {
    await page?.close();
    await stack?.stop();
    await dashboard?.close();
    await evil?.close();
    project?.remove();
  });

  function dashboardPage(): string {
    return `${dashboard.origin}/sign-on.html`;
  }

  /** Also while the browser is between two pages. */
  const waitFor = (condition: string, on = page) =>
    eventually(async () => await on.evaluate<boolean>(condition).catch(() => false), 30_000).catch(
      async (error: unknown) => {
        const shown = await on
          .evaluate<string>('[location, globalThis.outcome, document.body.innerText].join(" ")')
          .catch(String);
        throw new Error(`${condition} did not become true at ${shown}`, { cause: error });
      },
    );

  async function begin(on = page): Promise<void> {
    await on.load('about:blank');
    await on.load(dashboardPage());
    await waitFor(`globalThis.outcome === 'none'`, on);
    // The page is left before the promise is settled.
    await on.evaluate(`void begin(${JSON.stringify(stack.url)}, 'company')`);
    await waitFor(`document.querySelector('[name=sub]') !== null`, on);
  }

  async function answerAs(person: string, on = page): Promise<void> {
    await on.evaluate(`{
      document.querySelector('[name=sub]').value = ${JSON.stringify(person)};
      document.querySelector('form').requestSubmit();
    }`);
  }

  /** The code of another browser, which has not been used. */
  async function codeOfAnother(): Promise<string> {
    const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
    const query = new URLSearchParams({ origin: dashboard.origin, challenge });
    const { returned } = await new TestBrowser().signOn(`${stack.url}/api/auth/sso/company?${query}`, 'erin');
    const [, code] = /#code=([\w-]{43})$/.exec(returned.headers.get('location') ?? '') ?? [];
    assert.ok(code, 'the gateway has sent a code');
    return code;
  }

  it('leads from a page of another origin to the projects', async () => {
    await begin();
    await answerAs('erin');

    await waitFor(`globalThis.outcome === 'erin: demo'`);

    assert.equal(await page.evaluate('location.href'), dashboardPage());
    const token = await page.evaluate<string>('globalThis.session.token');
    const addresses = page.requests.join('\n');
    assert.doesNotMatch(addresses, /code=|gAAAAA/);
    assert.ok(!addresses.includes(token), 'the token stands in an address');
    assert.deepEqual(page.problems, []);
  });

  it('shows errors of the identity service', async () => {
    await begin();
    await answerAs('grace');

    await waitFor(`document.body.innerText.includes('requires authentication')`);
  });

  it('does not begin for a foreign origin', async () => {
    const challenge = 'x'.repeat(43);
    const query = new URLSearchParams({ origin: evil.origin, challenge });

    await page.load(`${stack.url}/api/auth/sso/company?${query}`);

    assert.match(await page.evaluate('document.body.innerText'), /"code":"invalid_input"/);
    assert.equal(await page.evaluate('location.origin'), stack.url);
  });

  it('refuses a form that a foreign page sends in the middle', async () => {
    await begin();
    await page.load(`${evil.origin}/sign-on.html`);
    await page.evaluate(`{
      const form = document.createElement('form');
      form.method = 'post';
      form.action = ${JSON.stringify(`${stack.url}/api/auth/sso/callback`)};
      form.innerHTML = '<input name="token" value="of-the-attacker">';
      document.body.append(form);
      form.submit();
    }`);

    await waitFor(`document.body.innerText.includes('"code":"invalid_sign_on"')`);
    assert.equal(await page.evaluate('location.origin'), stack.url);
  });

  it('does not use a code that the page has not asked for', async () => {
    const code = await codeOfAnother();
    await page.load(dashboardPage());
    await page.evaluate('sessionStorage.clear()');
    await page.load('about:blank');
    await page.load(`${dashboardPage()}#code=${code}`);

    await waitFor(`globalThis.outcome === 'none'`);
  });

  it('refuses the code of another browser', async () => {
    const code = await codeOfAnother();
    await begin();
    await page.load(`${dashboardPage()}#code=${code}`);

    await waitFor(`globalThis.outcome === 'invalid_sign_on'`);
    assert.equal(await page.evaluate('location.hash'), '');
  });

  it('refuses a code that was used', async () => {
    await begin();
    await answerAs('erin');
    await waitFor(`globalThis.outcome === 'erin: demo'`);
    const [, used] = /#code=([\w-]{43})/.exec(page.received.join('\n')) ?? [];
    assert.ok(used, 'the gateway has sent a code');
    await begin();
    await page.load(`${dashboardPage()}#code=${used}`);

    await waitFor(`globalThis.outcome === 'invalid_sign_on'`);
  });

  it("logs administrators in to the operators' page", async () => {
    await page.load(`${stack.url}/ops/login`);
    await waitFor(`document.querySelector('.provider') !== null`);
    await page.evaluate(`document.querySelector('.provider').click()`);
    await waitFor(`document.querySelector('[name=sub]') !== null`);
    await answerAs('frank');

    await waitFor(`location.pathname === '/ops' && document.querySelector('main')?.dataset.ready === 'true'`);
    assert.match(await page.evaluate('document.querySelector(".user").innerText'), /^frank/);
    assert.doesNotMatch(page.requests.join('\n'), /code=|gAAAAA/);
  });

  it("keeps members out of the operators' page", async () => {
    const other = await ChromiumPage.open(chromium, `${stack.url}/ops/login`);
    try {
      await waitFor(`document.querySelector('.provider') !== null`, other);
      await other.evaluate(`document.querySelector('.provider').click()`);
      await waitFor(`document.querySelector('[name=sub]') !== null`, other);
      await answerAs('erin', other);

      await waitFor(`document.body.innerText.includes('This page is for administrators')`, other);
    } finally {
      await other.close();
    }
  });
});
