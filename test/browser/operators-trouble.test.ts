import assert from 'node:assert/strict';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { requireProgram } from '../support/skip-without.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { assertLooksRight, findingsOf } from './appearance.ts';
import { type OperatorsStack, startOperatorsStack } from './operators-stack.ts';

const MODE = '/api/admin/read-only-mode';
const REASON = 'The storage of the cloud is replaced.';
const has = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;
const isReady = `document.querySelector('main')?.dataset.ready === 'true'`;

/**
 * What the operators' page shows and does in a bad night: a job that is held, a queue that is paused, a
 * worker that has died, a leftover, and a gateway that is read-only. The pictures are in .data/browser/.
 */
describe("the operators' page in trouble", function () {
  this.timeout(600_000);
  let prepared: OperatorsStack;
  let page: ChromiumPage;
  let admin: GatewayClient;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    prepared = await startOperatorsStack();
    const { runningId, stack } = prepared;
    admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    await expectStatus('POST', `/api/admin/jobs/${runningId}/hold`, 200);
    await expectStatus('POST', '/api/admin/queues/cleanup/pause', 200);
    await expectStatus('PUT', MODE, 200, { reason: REASON });
    await stack.workers[0]?.kill('SIGKILL');
    await eventually(async () => {
      const queues = await admin.read<{ workers: number }[]>('/api/admin/queues');
      return queues.every(({ workers }) => workers === 0);
    }, 120_000);
    await prepared.addFailing();
    page = await ChromiumPage.open(chromium, `${stack.url}/ops/login`);
    await becomes(`document.querySelector('[name=password]') !== null`);
    const { password, username } = testLogin('admin');
    await page.evaluate(`{
      document.querySelector('[name=username]').value = ${JSON.stringify(username)};
      document.querySelector('[name=password]').value = ${JSON.stringify(password)};
      document.querySelector('form').requestSubmit();
    }`);
    await becomes(`location.pathname === '/ops'`);
  });

  after(async () => {
    await page?.close();
    await prepared?.stop();
  });

  const becomes = (condition: string) =>
    eventually(async () => await page.evaluate<boolean>(condition), 60_000).catch(async (cause: unknown) => {
      const text = await page.evaluate<string>('document.body.innerText');
      throw new Error(`${condition} did not become true: ${text}`, { cause });
    });

  async function expectStatus(method: string, path: string, status: number, body?: object): Promise<void> {
    const answer = await admin.request(method, path, body);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
  }

  const open = async (path: string) => {
    await page.load(`${prepared.stack.url}${path}`);
    await becomes(isReady);
    await page.evaluate('globalThis.confirm = () => true; 0');
  };
  const click = (selector: string) =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  const attention = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('#attention li')].map(({ innerText }) => innerText)`,
    );

  it('shows first what needs attention, in both sizes and schemes', async () => {
    const texts = [
      'Paused: cleanup',
      'No live worker: provisioning',
      'left over',
      'failed within a day',
      '2 auto backups fail or are overdue.',
      '2 lite clusters are unhealthy or cannot be reached.',
      REASON,
    ];
    const ready = [isReady, ...texts.map(has), has('Held: ')].join(' && ');

    await assertLooksRight(page, 'trouble', `${prepared.stack.url}/ops`, ready);

    const entries = await attention();
    assert.ok(
      entries.some((each) => /^Held: instance\.create \(running, demo\) /.test(each)),
      entries.join('\n'),
    );
    assert.ok(!entries.some((each) => each.startsWith('Paused: ') && !each.includes('cleanup')));
  });

  it('leads to the auto backups and lite clusters that fail', async () => {
    const { stack } = prepared;
    await open('/ops');
    await becomes(`document.querySelector('#attention a[href$="/ops/health#auto-backups-title"]') !== null`);
    await click('#attention a[href$="/ops/health#auto-backups-title"]');
    const isThere = `location.pathname === '/ops/health' && ${isReady} && ${has('overdue')}`;
    await becomes(isThere);

    const cells = (table: string, label: string) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('#${table} [data-label="${label}"]')].map((cell) => cell.innerText)`,
      );
    const problems = await cells('auto-backups', 'Problem');
    const good = await cells('auto-backups', 'Last good run');
    const order = problems.map((text) => text.split('\n')[0]);
    assert.deepEqual(order, ['overdue', 'failed']);
    assert.equal(good[0], 'never');
    assert.match(problems[1] ?? '', /The quota of the project does not suffice/);
    assert.match(good[1] ?? '', /^\d{4}-\d\d-\d\d /);
    assert.deepEqual(await cells('lite-clusters', 'Health'), [
      'UNHEALTHY',
      'UNREACHABLE',
      'UNKNOWN',
      'HEALTHY',
    ]);
    assert.ok(await page.evaluate(has('3 of 4 are not healthy')));
    assert.ok(await page.evaluate(has('etcd has no leader.')));
    await assertLooksRight(page, 'health', `${stack.url}/ops/health`, isThere);
  });

  it('opens a job by its id, with names, times and the reason', async () => {
    const { runningId, stack } = prepared;
    await open('/ops/jobs');
    await page.evaluate(`{
      document.querySelector('form [name=id]').value = ${JSON.stringify(runningId)};
      document.querySelector('form').requestSubmit();
    }`);
    await becomes(`location.pathname === '/ops/job' && ${isReady} && ${has('by an administrator, since ')}`);

    const url = `${stack.url}/ops/job?id=${runningId}`;
    await assertLooksRight(page, 'held-job', url, `${isReady} && document.querySelector('#steps td')`);

    for (const text of ['instance running', testLogin('demo').projectName ?? '', testLogin('demo').username])
      assert.ok(await page.evaluate(has(text)), text);
    const times = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#steps [data-label=Began]')].map(({ textContent }) => textContent)`,
    );
    assert.ok(times.length > 1);
    for (const time of times) assert.match(time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /);
    const { body } = await admin.request<{ items: { began_at: string }[] }>(
      'GET',
      `/api/admin/jobs/${runningId}/steps`,
    );
    const began = body.items.map(({ began_at }) => Date.parse(began_at));
    assert.deepEqual(
      began.toSorted((one, other) => one - other),
      began,
    );
  });

  it('says that there is no job of an id', async () => {
    await open('/ops/job?id=none');

    await becomes(has('There is no job none.'));
  });

  it('shows who has changed what, in both sizes and schemes', async () => {
    const { stack } = prepared;
    const ofAudit = `${isReady} && ${has(MODE)} && ${has('/api/admin/queues/{queue}/pause')}`;
    await assertLooksRight(page, 'audit', `${stack.url}/ops/audit`, ofAudit);

    const { projectId } = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const ofHistory = `${isReady} && ${has('/api/instances/async')} && ${has('not_found')}`;
    await assertLooksRight(page, 'history', `${stack.url}/ops/history?project_id=${projectId}`, ofHistory);
  });

  it('releases, holds and cancels a job on its page', async () => {
    const { runningId } = prepared;
    await open(`/ops/job?id=${runningId}`);

    for (const action of ['release', 'hold', 'cancel']) {
      const button = `[id="${action}-${runningId}"]`;
      await becomes(`document.querySelector(${JSON.stringify(button)}) !== null`);
      await click(button);
    }

    await becomes(has('cancel requested'));
    assert.equal(await page.evaluate('document.querySelector("#problem").hidden'), true);
    assert.deepEqual(await findingsOf(page), []);
  });

  it('resumes a queue and ends the mode', async () => {
    await open('/ops');
    await becomes(`document.querySelector('#resume-cleanup') !== null`);
    await click('#resume-cleanup');
    await becomes(`!${has('Paused: cleanup')}`);
    await becomes(`!document.querySelector('#read-only').hidden`);
    await click('#end-read-only');
    await becomes(`document.querySelector('#read-only').hidden`);

    const { body } = await admin.request<{ is_read_only: boolean }>('GET', MODE);
    assert.equal(body.is_read_only, false);
    assert.deepEqual(await findingsOf(page), []);
  });

  it('makes the gateway read-only until a time', async () => {
    await open('/ops');
    await click('#begin-read-only summary');
    await page.evaluate(`{
      document.querySelector('[name=reason]').value = 'An upgrade.';
      document.querySelector('[name=hours]').value = '1.5';
      document.querySelector('#begin-read-only form').requestSubmit();
    }`);

    await becomes(`${has('Users read: An upgrade.')} && !document.querySelector('#read-only').hidden`);
    const { body } = await admin.request<{ until: string; since: string }>('GET', MODE);
    assert.ok(Math.abs(Date.parse(body.until) - Date.parse(body.since) - 5_400_000) < 60_000);
    assert.equal(await page.evaluate('document.querySelector("#problem").hidden'), true);
  });
});
