import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { eventually } from '../support/eventually.ts';
import { prepareMember } from '../support/projects/prepared-member.ts';
import { requirePasscode } from '../support/projects/second-factor.ts';
import { requireProgram } from '../support/skip-without.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { assertLooksRight, findingsOf, picturesFolder as folder, SIZES } from './appearance.ts';
import { type OperatorsStack, startOperatorsStack } from './operators-stack.ts';

const has = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;
/**
 * The appearance of the pages, and whether they work with a screen reader. The pictures
 * are in .data/browser/.
 */
describe('the pages for people', function () {
  this.timeout(600_000);
  let prepared: OperatorsStack;
  let page: ChromiumPage;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    prepared = await startOperatorsStack();
    page = await ChromiumPage.open(chromium, `${prepared.stack.url}/ops/login`);
  });

  after(async () => {
    await page?.close();
    await prepared?.stop();
  });

  const becomes = (condition: string) =>
    eventually(async () => await page.evaluate<boolean>(condition), 60_000);

  const findings = () => findingsOf(page);

  function looksRight(name: string, address: () => string, ready: string): void {
    it(`${name}: in both sizes and schemes, without a serious finding`, () =>
      assertLooksRight(page, name, prepared.stack.url + address(), ready));
  }

  looksRight('docs', () => '/api/docs/', `document.querySelectorAll('.opblock-tag').length > 20`);

  it('docs: all groups fit a screen, also of a phone', async () => {
    for (const [width, height] of SIZES) {
      await page.resize(width, height);
      const span = await page.evaluate<number>(`{
        const tags = [...document.querySelectorAll('.opblock-tag')].map((each) => each.getBoundingClientRect());
        Math.max(...tags.map(({ bottom }) => bottom)) - Math.min(...tags.map(({ top }) => top));
      }`);
      assert.ok(span < height, `${span} of ${height} pixels`);
    }
  });

  it('docs: the dialog of Authorize fits each size, without a serious finding', async () => {
    for (const [width, height] of SIZES) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.resize(width, height);
        await page.preferColors(scheme);
        await page.load('about:blank');
        await page.load(`${prepared.stack.url}/api/docs/`);
        await becomes(`document.querySelector('.auth-wrapper .authorize') !== null`);
        await page.evaluate(`document.querySelector('.auth-wrapper .authorize').click()`);
        await becomes(`document.querySelector('.modal-ux input') !== null`);
        writeFileSync(join(folder, `authorize-${width}-${scheme}.png`), await page.screenshot());
        assert.deepEqual(await findings(), [], `${width} ${scheme}`);
        const isAtTop = `document.activeElement === document.querySelector('.modal-ux input')`;
        assert.equal(await page.evaluate(isAtTop), true, `${width} ${scheme}`);
        const { bottom, left, right, top } = await page.evaluate<
          Record<'bottom' | 'left' | 'right' | 'top', number>
        >(`document.querySelector('.modal-ux').getBoundingClientRect().toJSON()`);
        assert.ok(left >= 0 && right <= width && top >= 0 && bottom <= height, `${width} ${scheme}`);
        const cut = await page.evaluate<string[]>(
          `[...document.querySelectorAll('.modal-ux *')].filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.className)`,
        );
        assert.deepEqual(cut, []);
      }
    }
  });

  looksRight(
    'docs-operation',
    () => '/api/docs/#/instances/postInstances',
    `document.querySelector('.opblock.is-open .try-out__btn') !== null`,
  );
  const isShown = `document.documentElement.dataset.isReady !== undefined`;
  looksRight('guide', () => '/api/docs/guide', isShown);
  looksRight('errors', () => '/api/docs/errors', isShown);
  const isAtLogIn = `document.querySelector('[name=username]') !== null`;
  looksRight('log-in', () => '/ops/login', isAtLogIn);

  it('asks for a passcode, without a serious finding', async () => {
    const { identityUrl, url } = prepared.stack;
    const admin = await CloudClient.logIn(identityUrl ?? '', testLogin('admin'));
    const member = await prepareMember(identityUrl ?? '', admin);
    const currentPasscode = await requirePasscode(admin, member.cloud.userId);
    const fill = (values: Record<string, string>) =>
      page.evaluate(`{
        for (const [name, value] of Object.entries(${JSON.stringify(values)}))
          document.querySelector(\`[name=\${name}]\`).value = value;
        document.querySelector('form').requestSubmit();
      }`);
    const { password, username } = member.login;
    await page.load(`${url}/ops/login`);
    await becomes(isAtLogIn);

    await fill({ username, password });
    await becomes(`document.querySelector('[autocomplete=one-time-code]') !== null`);
    writeFileSync(join(folder, 'passcode.png'), await page.screenshot());
    assert.deepEqual(await findings(), []);
    assert.equal(await page.evaluate('location.href'), `${url}/ops/login`);
    await fill({ passcode: currentPasscode() });
    await becomes(`/for administrators/.test(document.querySelector('#problem').textContent)`);

    await member.remove();
    await page.load(`${url}/ops/login`);
    await becomes(isAtLogIn);
  });

  it('keeps the user name of a refused log-in', async () => {
    await page.evaluate(`{
      document.querySelector('[name=username]').value = 'admin';
      document.querySelector('[name=password]').value = 'wrong';
      document.querySelector('form').requestSubmit();
    }`);
    await becomes(`!document.querySelector('#problem').hidden`);

    assert.equal(await page.evaluate(`document.querySelector('[name=username]').value`), 'admin');
    assert.equal(await page.evaluate(`document.querySelector('[name=password]').value`), '');
    assert.deepEqual(await findings(), []);
    await page.evaluate(`{
      document.querySelector('[name=password]').value = ${JSON.stringify(testLogin('admin').password)};
      document.querySelector('form').requestSubmit();
    }`);
    await becomes(`location.pathname === '/ops'`);
  });

  looksRight(
    'overview',
    () => '/ops',
    `document.querySelector('main')?.dataset.ready === 'true' && ${has('stray-volume')}`,
  );

  it("overview: shows failure sentences, project names, and today's figures", async () => {
    await becomes(has('was not found.'));
    await becomes(has('not_found, 404'));
    const names = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-label=Project]')].map((cell) => cell.firstChild.textContent)`,
    );
    assert.ok(
      names.length > 0 && names.every((name) => name === testLogin('demo').projectName),
      names.join(),
    );
    const texts = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.chart-text')].map((each) => each.textContent)`,
    );
    for (const text of texts) assert.match(text, /^(?:Today|\d{4}-\S+ \S+): .+\. Collecting since \d{4}-/);
  });

  const isReady = `document.querySelector('main')?.dataset.ready === 'true'`;
  looksRight('jobs', () => '/ops/jobs', `${isReady} && ${has('instance.create')}`);
  looksRight('queues', () => '/ops/queues', `${isReady} && ${has('provisioning')} && ${has('maintenance')}`);
  looksRight('failed', () => '/ops/queues?queue=provisioning&state=failed', has('instance.create'));
  looksRight('sessions', () => '/ops/sessions', `${isReady} && ${has('this session')}`);
  looksRight(
    'delayed',
    () => '/ops/queues?queue=maintenance&state=delayed',
    `document.querySelector('[id^="run-"]') !== null`,
  );
  looksRight(
    'job',
    () => `/ops/queues?queue=provisioning&state=failed&job=${prepared.failedId}`,
    `document.querySelector('#job dl')?.innerText.includes('not_found')`,
  );

  it('queues: show no button of a change that is refused', async () => {
    const changes = ['queue=provisioning&state=failed', 'queue=maintenance&state=delayed'];
    const shown: string[] = [];
    for (const query of changes) {
      await page.load(`${prepared.stack.url}/ops/queues?${query}`);
      await becomes(`${isReady} && document.querySelector('#jobs td:not(.empty)') !== null`);
      shown.push(
        ...(await page.evaluate<string[]>(`[...document.querySelectorAll('button')]
          .filter((button) => button.checkVisibility())
          .map((button) => button.ariaLabel ?? button.innerText.trim())`)),
      );
    }
    const allowed = /^(?:Log out|Pause \w+|Run now: [\w.-]+ \S+)$/;
    assert.deepEqual(
      shown.filter((name) => !allowed.test(name)),
      [],
    );
    for (const text of ['Log out', 'Pause provisioning', 'Run now: '])
      assert.ok(
        shown.some((name) => name.startsWith(text)),
        text,
      );
  });

  it('queues: pause and resume with one button, which keeps the focus', async () => {
    await page.load(`${prepared.stack.url}/ops/queues`);
    await becomes(isReady);
    const button = `document.querySelector('#change-maintenance')`;
    await page.evaluate(`globalThis.confirm = () => true; ${button}.focus(); ${button}.click();`);
    await becomes(`${button}.ariaLabel === 'Resume maintenance'`);
    const state = `${button}.closest('tr').querySelector('.warning').innerText`;
    assert.equal(await page.evaluate(state), 'paused');
    assert.ok(await page.evaluate(`document.activeElement === ${button}`));
    assert.deepEqual(await findings(), []);
    await page.evaluate(`${button}.click();`);
    await becomes(`${button}.ariaLabel === 'Pause maintenance'`);
  });

  it('overview: shows that the gateway is unavailable', async () => {
    await page.load(`${prepared.stack.url}/ops`);
    await becomes(`document.querySelector('main')?.dataset.ready === 'true'`);
    await prepared.stack.apis[0]?.kill('SIGKILL');

    await becomes(has('The gateway does not answer. The page tries again by itself.'));

    await prepared.stack.apis[0]?.restart();
    await becomes(`document.querySelector('#problem').hidden`);
  });
});
