import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRequestId } from '@gateway/core';
import { projectRoot } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { requireProgram } from '../support/skip-without.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { type OperatorsStack, startOperatorsStack } from './operators-stack.ts';

const folder = join(projectRoot, '.data/browser');
const ANIMATIONS_ENDED = `document.getAnimations().every(
  ({ effect, playState }) => playState !== 'running' || effect.getTiming().iterations === Infinity)`;

/** What administrators and others see of the operators' page. The pictures are in .data/browser/. */
describe("the operators' page in a browser", function () {
  this.timeout(600_000);
  let prepared: OperatorsStack;
  let stack: Stack;
  let page: ChromiumPage;
  let failedId: string;
  let runningId: string;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    prepared = await startOperatorsStack();
    ({ stack, failedId, runningId } = prepared);
    page = await ChromiumPage.open(chromium, `${stack.url}/ops`);
    await page.resize(1280, 900);
  });

  after(async () => {
    await page?.close();
    await prepared?.stop();
  });

  async function takePicture(name: string): Promise<void> {
    await waitFor(ANIMATIONS_ENDED);
    await savePicture(name);
  }

  async function savePicture(name: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `operators-${name}.png`), await page.screenshot());
  }

  const waitFor = (condition: string) =>
    eventually(async () => await page.evaluate<boolean>(condition), 30_000).catch(async (error: unknown) => {
      await savePicture('failure');
      throw new Error(`${condition} did not become true`, { cause: error });
    });
  const bodyHas = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

  async function logIn(who: 'admin' | 'demo', password = testLogin(who).password): Promise<void> {
    await page.evaluate(`{
      document.querySelector('[name=username]').value = ${JSON.stringify(testLogin(who).username)};
      document.querySelector('[name=password]').value = ${JSON.stringify(password)};
      document.querySelector('form').requestSubmit();
    }`);
  }

  const isAtLogIn = `location.pathname === '/ops/login' && document.querySelector('[name=password]') !== null`;

  it('asks everybody to log in', async () => {
    await waitFor(isAtLogIn);

    await takePicture('log-in');
  });

  it('shows why a log-in was refused', async () => {
    await logIn('admin', 'wrong');

    await waitFor(bodyHas('password, domain or project is wrong'));
    await takePicture('refused');
  });

  it('keeps members out', async () => {
    await logIn('demo');

    await waitFor(bodyHas('This page is for administrators'));
    assert.equal(
      await page.evaluate(`fetch('/api/auth/me').then(({ status }) => status)`),
      401,
      'logged out',
    );
    await page.load(`${stack.url}/ops/queues`);
    await waitFor(isAtLogIn);
  });

  it('leads back to the page from which the log-in was asked for', async () => {
    await page.load(`${stack.url}/ops/jobs?state=failed`);
    await waitFor(isAtLogIn);
    await logIn('admin');

    await waitFor(bodyHas(failedId));
    assert.equal(await page.evaluate('location.href'), `${stack.url}/ops/jobs?state=failed`);
  });

  it('shows administrators the jobs, the leftovers and the charts', async () => {
    await page.load(`${stack.url}/ops`);

    await waitFor(`location.pathname === '/ops' && document.querySelector('main')?.dataset.ready === 'true'`);
    await waitFor(bodyHas(runningId));
    await waitFor(bodyHas(failedId));
    await waitFor(bodyHas('stray-volume'));
    assert.equal(await page.evaluate('document.querySelectorAll("#charts canvas").length'), 6);
    assert.equal(await page.evaluate('document.querySelector("#problem").hidden'), true);
    assert.equal(await page.evaluate('document.querySelectorAll("#leftovers button").length'), 1);
    await takePicture('overview');
  });

  it('removes a leftover', async () => {
    await page.evaluate(
      `{ globalThis.confirm = () => true; document.querySelector('#leftovers button').click(); }`,
    );

    await waitFor(bodyHas('There are no leftovers.'));
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    await eventually(async () => {
      const path = '/api/admin/leftovers?refresh=true';
      return (await admin.read<{ total: number }>(path)).total === 0;
    });
  });

  it('shows the queues', async () => {
    await page.load(`${stack.url}/ops/queues`);

    await waitFor(bodyHas('provisioning'));
    await waitFor(bodyHas('cleanup'));
    await takePicture('queues');
    await page.load(`${stack.url}/ops/queues?queue=provisioning&state=active`);
    await waitFor(bodyHas('instance.create'));
    await takePicture('active');
    await page.load(`${stack.url}/ops/queues?queue=provisioning&state=active&page=99`);
    await waitFor(bodyHas('There is no page 99.'));
  });

  it('opens a failed job', async () => {
    await page.load(`${stack.url}/ops/queues?queue=provisioning&state=failed`);
    await waitFor(bodyHas('volume.create'));
    await takePicture('failed');
    await page.evaluate(
      `[...document.querySelectorAll('#jobs tr')].find((row) => row.innerText.includes('${failedId}'))
        .querySelector('a').click()`,
    );

    await waitFor(`new URLSearchParams(location.search).get('job') === '${failedId}'`);
    await waitFor(`document.querySelector('#job dl').innerText.includes('project id')`);
    await waitFor(`document.querySelectorAll('#job ol li').length > 0`);
    assert.equal(await page.evaluate('document.querySelector("#problem").hidden'), true);
    await takePicture('failed-job');
  });

  it('ends sessions of the operator elsewhere', async () => {
    const lost = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const forgotten = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const rows = 'document.querySelectorAll("#sessions tbody tr").length';
    const isEnded = async (session: GatewayClient) =>
      (await session.request('GET', '/api/auth/me')).status === 401;
    await page.load(`${stack.url}/ops/sessions`);
    await waitFor(`document.querySelector('main')?.dataset.ready === 'true'`);
    const before = await page.evaluate<number>(rows);
    await takePicture('sessions');
    const { body } = await lost.request<{ id: string; is_current: boolean }[]>('GET', '/api/auth/sessions');
    const id = body.find(({ is_current }) => is_current)?.id;

    await page.evaluate(`{
      globalThis.confirm = () => true;
      document.querySelector(${JSON.stringify(`[id="end-${id}"]`)}).click();
    }`);
    await waitFor(`${rows} === ${before - 1}`);
    await eventually(() => isEnded(lost));
    assert.equal(await isEnded(forgotten), false);
    await page.evaluate(`document.querySelector('#end-others').click()`);

    await waitFor(`${rows} === 1 && document.querySelector('#end-others').hidden`);
    await eventually(() => isEnded(forgotten));
    assert.equal(await page.evaluate('document.querySelector("#problem").hidden'), true);
  });

  it('shows the same view with a slash at the end', async () => {
    await page.load(`${stack.url}/ops/jobs/`);

    await waitFor(`document.querySelector('[name=state]') !== null`);
    assert.equal(await page.evaluate('document.querySelector("#problem").hidden'), true);
  });

  it('holds and releases a job', async () => {
    const control = new CloudsimControl(stack.cloudsim?.url ?? '');
    const member = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const requestId = newRequestId();
    const call = await control.hold('before', { requestId, operation: 'servers.create' });
    const stream = await member.createInstance(await member.smallInstanceRequest('to-hold'), requestId);
    const id = stream.headers.get('x-job-id') ?? '';
    assert.equal(await call.waitUntilReached(60_000), 'held');
    await page.load(`${stack.url}/ops/jobs?state=failed`);
    await waitFor(bodyHas(failedId));
    assert.equal(await page.evaluate(`document.querySelector('[name=state]').value`), 'failed');
    await page.load(`${stack.url}/ops/jobs?type=instance.create`);
    const button = (action: string) => `document.querySelector(${JSON.stringify(`[id="${action}-${id}"]`)})`;

    for (const action of ['hold', 'release', 'hold', 'cancel']) {
      await waitFor(`${button(action)} !== null`);
      await page.evaluate(`{ globalThis.confirm = () => true; ${button(action)}.click(); }`);
    }

    await waitFor(bodyHas('cancel requested'));
    assert.equal(await page.evaluate('document.querySelector("#problem").hidden'), true);
    await takePicture('jobs');
    await call.release();
    assert.equal((await messagesOf(stream)).at(-1)?.step, 'FAILED');
  });

  it('has shown no secret and nothing from another host', async () => {
    await page.settleReceived();

    assert.ok(page.received.length > 30);
    const all = page.received.join('\n');
    assert.ok(all.includes(failedId) && all.includes(runningId), 'the responses were recorded');
    const secrets = {
      'a token': /gAAAAA/,
      'a sealed value': /\bv1\.\w+\.[\w-]{20,}|credentialHandle|sealedAdminPass/,
      'a password': /Typed-Password|-secret\b/,
      'a payload': /bootVolumeSizeGb|user_data|#cloud-config/,
      'a stack trace': /\bat \S+ \(.*\.ts:\d+/,
    };
    // What is in the cookie is sealed, and no script can read it.
    const shown = page.received.map((each) => each.replace(/"gateway_session=[^"]+; HttpOnly;/, ''));
    for (const [what, pattern] of Object.entries(secrets)) {
      const [response] = shown.filter((each) => pattern.test(each) && !/^\S+\.js\n/.test(each));
      assert.equal(response?.slice(0, 2000), undefined, `${what} was sent`);
    }
    const strange = page.requests.filter(
      (each) => !each.includes(` ${stack.url}/`) && !each.includes(' data:') && !each.includes(' blob:'),
    );
    assert.deepEqual(strange, []);
    const stored = '[document.cookie, ...Object.entries(localStorage), ...Object.entries(sessionStorage)]';
    assert.deepEqual(await page.evaluate(stored), ['']);
    assert.deepEqual(page.problems, []);
  });

  it('logs out', async () => {
    await page.load(`${stack.url}/ops`);
    await waitFor(`document.querySelector('main').dataset.ready === 'true'`);
    await page.evaluate(`document.querySelector('#log-out').click()`);

    await waitFor(isAtLogIn);
    await page.load(`${stack.url}/ops`);
    await waitFor(isAtLogIn);
  });
});
