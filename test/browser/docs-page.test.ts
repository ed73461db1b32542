import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { requireProgram } from '../support/skip-without.ts';
import { simulatedCloud, startTestStack } from '../support/stacks/test-stack.ts';

/** What the tests do on the page, with real elements. */
const HELPERS = `
  globalThis.until = async (what, find) => {
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      const found = find();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('There is no ' + what + ' on the page.');
  };
  globalThis.element = (selector, within = document) => until(selector, () => within.querySelector(selector));
  globalThis.enter = (input, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  /** Sends the request of an operation with its example. Returns the status and body that the page shows. */
  globalThis.tryOut = async (tag, operation) => {
    (await element('#operations-tag-' + tag)).click();
    const section = await element('#operations-' + tag + '-' + operation);
    (await element('.opblock-summary-control', section)).click();
    (await element('.try-out__btn', section)).click();
    (await element('.execute', section)).click();
    const row = await element('.live-responses-table .response', section);
    const status = row.querySelector('.response-col_status').textContent.trim();
    const code = await element('.response-col_description code', row);
    return { status, body: code.textContent };
  };
  /** Enters the value of a security scheme in the dialog of Authorize. */
  globalThis.authorize = async (header, value) => {
    const forms = await until('.auth-container', () => {
      const found = [...document.querySelectorAll('.auth-container')];
      return found.length > 0 ? found : undefined;
    });
    const form = forms.find((each) => each.textContent.includes('Name: ' + header));
    enter(await element('input', form), value);
    (await element('button.authorize', form)).click();
    await until('Logout of ' + header, () => [...form.querySelectorAll('button')].some((button) => button.textContent === 'Logout'));
  };
`;

interface Shown {
  status: string;
  body: string;
}

/** The documentation page, used as a reader does. */
describe('the page /api/docs', function () {
  this.timeout(300_000);
  let stack: Stack;
  let page: ChromiumPage;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    stack = await startTestStack(simulatedCloud);
    page = await ChromiumPage.open(chromium, `${stack.url}/api/docs/`);
    await page.evaluate(HELPERS);
  });

  after(async () => {
    await page?.close();
    await stack?.stop();
  });

  it('logs in with its example, tries a request, and stores no token', async () => {
    const refused = await page.evaluate<Shown>('tryOut("images", "getImages")');
    assert.equal(refused.status, '401');

    const logIn = await page.evaluate<Shown>('tryOut("auth", "postAuthLogin")');
    assert.equal(logIn.status, '200', logIn.body);
    const { token, project_id } = JSON.parse(logIn.body) as { token: string; project_id: string };
    await page.evaluate('element(".auth-wrapper .authorize").then((button) => button.click())');
    await page.evaluate(`authorize("X-Auth-Token", ${JSON.stringify(token)})`);
    await page.evaluate(`authorize("X-Project-Id", ${JSON.stringify(project_id)})`);
    await page.evaluate('element(".modal-ux .close-modal").then((button) => button.click())');
    const flavors = await page.evaluate<Shown>('tryOut("flavors", "getFlavors")');

    assert.equal(flavors.status, '200', flavors.body);
    assert.ok((JSON.parse(flavors.body) as unknown[]).length > 0);
    const elsewhere = page.requests.filter((each) => !each.includes(stack.url) && !each.includes(' data:'));
    assert.deepEqual(elsewhere, []);
    assert.equal(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'), '{}');
  });

  it("shows the guide in the reader's language, and searches all texts", async () => {
    await page.load(`${stack.url}/api/docs/guide`);
    await page.evaluate(HELPERS);
    await page.evaluate('element("[data-chooses=python]").then((button) => button.click())');
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.examples pre')].filter((each) => each.checkVisibility()).map((each) => each.dataset.language)`,
    );
    assert.ok(shown.length >= 5);
    assert.deepEqual(new Set(shown), new Set(['python']));

    await page.evaluate('element("[type=search]").then((input) => enter(input, "confirmation requ"))');
    const found = await page.evaluate<string>('element("#found a").then(({ href }) => href)');
    assert.equal(found, `${stack.url}/api/docs/errors#reasons-of-a-conflict`);
    await page.load(found);
    await page.evaluate(HELPERS);
    await page.evaluate(`element('#reasons-of-a-conflict')`);
  });

  it('shows operators the section of an alert, and the text behind it', async () => {
    await page.load(`${stack.url}/api/docs/runbooks#gatewaymemoryhigh`);
    await page.evaluate(HELPERS);
    const link = await page.evaluate<string>(
      `element('#gatewaymemoryhigh ~ ul a').then(() => [...document.querySelectorAll('article a')].at(-1).href)`,
    );

    assert.equal(link, `${stack.url}/api/docs/operation#when-a-user-leaves-a-project`);
    await page.load(link);
    await page.evaluate(HELPERS);
    await page.evaluate(`element('#when-a-user-leaves-a-project')`);
  });
});
