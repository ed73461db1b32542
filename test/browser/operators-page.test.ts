import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unreplicatedWrite } from '@gateway/redis';
import { HOUR_MS, TimeSeriesStore } from '@gateway/views';
import { Redis } from 'ioredis';
import { projectRoot } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage, findChromium } from '../support/chromium.ts';
import { CloudClient } from '../support/cloud-client.ts';
import { CloudsimControl } from '../support/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { failedJob } from '../support/leftovers.ts';
import { freshKeyPrefix } from '../support/redis.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/test-stack.ts';

const folder = join(projectRoot, '.data/browser');
const ANIMATIONS_ENDED = `document.getAnimations().every(
  ({ effect, playState }) => playState !== 'running' || effect.getTiming().iterations === Infinity)`;
/** What users have typed, which the page must not show. */
const typed = { admin_pass: 'Typed-Password-4711' };

/** What administrators and others see of the operators' page. The pictures are in .data/browser/. */
describe("the operators' page in a browser", function () {
  this.timeout(600_000);
  let stack: Stack;
  let control: CloudsimControl;
  let page: ChromiumPage;
  let member: GatewayClient;
  let failedId: string;
  let runningId: string;

  before(async function () {
    const chromium = findChromium();
    if (chromium === undefined) {
      console.error("NOT TESTED: the operators' page needs Chromium (apt-get install chromium).");
      this.skip();
    }
    const keyPrefix = freshKeyPrefix('stack');
    stack = await startTestStack({
      ...simulatedCloud,
      config: { ops: { enabled: true, allow_changes: true }, redis: { key_prefix: keyPrefix } },
    });
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    member = await GatewayClient.logIn(stack.url, testLogin('demo'));
    await storeSnapshots(stack.redisUrl, keyPrefix);
    failedId = await failedJob(member);
    await makeLeftover(failedId);
    runningId = await startJob();
    page = await ChromiumPage.open(chromium, `${stack.url}/ops`);
    await page.resize(1280, 900);
  });

  after(async () => {
    await control?.clear();
    await page?.close();
    await stack?.stop();
  });

  /** A volume that the failed job could have made, and that nothing has. */
  async function makeLeftover(jobId: string): Promise<void> {
    const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const volume = { name: 'stray-volume', size: 1, metadata: { gateway_job_id: jobId } };
    await cloud.call('volumev3', 'POST', '/volumes', { volume });
  }

  /** A creation that waits for the cloud until the end of the suite. */
  async function startJob(): Promise<string> {
    const hold = await control.hold('before', { service: 'compute', operation: 'servers.create' });
    const request = await member.smallInstanceRequest('running');
    const stream = await member.createInstance({ ...request, ...typed });
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    return stream.headers.get('x-job-id') ?? '';
  }

  async function takePicture(name: string): Promise<void> {
    await waitFor(ANIMATIONS_ENDED);
    await savePicture(name);
  }

  async function savePicture(name: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `operators-${name}.png`), await page.screenshot());
  }

  const waitFor = (condition: string) =>
    eventually(async () => ((await page.evaluate<boolean>(condition)) ? true : undefined), 30_000).catch(
      async (error: unknown) => {
        await savePicture('failure');
        throw new Error(`${condition} did not become true`, { cause: error });
      },
    );
  const bodyHas = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

  async function logIn(who: 'admin' | 'demo', password = testLogin(who).password): Promise<void> {
    await page.evaluate(`{
      document.querySelector('[name=username]').value = ${JSON.stringify(testLogin(who).username)};
      document.querySelector('[name=password]').value = ${JSON.stringify(password)};
      document.querySelector('form').requestSubmit();
    }`);
  }

  it('asks everybody to log in', async () => {
    await waitFor(`location.pathname === '/ops/login'`);

    await takePicture('log-in');
  });

  it('tells why a log-in was refused', async () => {
    await logIn('admin', 'wrong');

    await waitFor(bodyHas('password, domain or project is wrong'));
    await takePicture('refused');
  });

  it('keeps members out', async () => {
    await logIn('demo');

    await waitFor(bodyHas('This page is for administrators'));
    await page.load(`${stack.url}/ops/queues`);
    await waitFor(`location.pathname === '/ops/login'`);
  });

  it('shows administrators the jobs, the leftovers and the charts', async () => {
    await logIn('admin');

    await waitFor(`location.pathname === '/ops' && document.querySelector('main')?.dataset.ready === 'true'`);
    await waitFor(bodyHas(runningId));
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

    await waitFor(bodyHas('leftover.remove'));
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    await eventually(async () => {
      const path = '/api/admin/leftovers?refresh=true';
      return (await admin.read<{ total: number }>(path)).total === 0 ? true : undefined;
    });
  });

  it('shows the queues', async () => {
    await page.load(`${stack.url}/ops/queues/`);

    await waitFor(bodyHas('provisioning'));
    await waitFor(bodyHas('cleanup'));
    await takePicture('queues');
    await page.load(`${stack.url}/ops/queues/queue/provisioning?status=active`);
    await waitFor(bodyHas('instance.create'));
    await takePicture('active');
  });

  it('opens a failed job', async () => {
    await page.load(`${stack.url}/ops/queues/queue/provisioning?status=failed`);
    await waitFor(bodyHas('instance.create'));
    await takePicture('failed');
    await page.load(`${stack.url}/ops/queues/queue/provisioning/${failedId}?status=failed`);

    await waitFor(bodyHas(failedId));
    await page.evaluate(
      `[...document.querySelectorAll('button')].find((each) => each.innerText === 'Data').click()`,
    );
    await waitFor(bodyHas('project_id'));
    await takePicture('failed-job');
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
    for (const [what, pattern] of Object.entries(secrets)) {
      const [response] = page.received.filter((each) => pattern.test(each) && !/^\S+\.js\n/.test(each));
      assert.equal(response?.slice(0, 2000), undefined, `${what} was sent`);
    }
    const strange = page.requests.filter(
      (each) => !each.includes(` ${stack.url}/`) && !each.includes(' data:') && !each.includes(' blob:'),
    );
    assert.deepEqual(strange, []);
    assert.deepEqual(page.problems, []);
  });

  it('logs out', async () => {
    await page.load(`${stack.url}/ops`);
    await page.evaluate(`document.querySelector('header form').requestSubmit()`);

    await waitFor(`location.pathname === '/ops/login'`);
    await page.load(`${stack.url}/ops`);
    await waitFor(`location.pathname === '/ops/login'`);
  });
});

/** Four days of snapshots. */
async function storeSnapshots(redisUrl: string, keyPrefix: string): Promise<void> {
  const redis = new Redis(redisUrl, { keyPrefix });
  const store = new TimeSeriesStore({ redis, replicatedWrite: unreplicatedWrite, keepSeconds: 3_000_000 });
  const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  for (let age = 4 * 24; age > 0; age -= 1) {
    const hour = thisHour - age * HOUR_MS;
    const wave = Math.round(20 * Math.sin(age / 7));
    const total = 120 - age + wave + 20;
    await store.add('instances', hour, {
      total,
      active: total - 9,
      shutoff: 6,
      error: age % 30 === 0 ? 3 : 1,
      other: 2,
    });
    const volumes = {
      total: total * 2,
      available: 20 + wave,
      in_use: total * 2 - 20 - wave,
      total_gb: total * 55,
    };
    await store.add('volumes', hour, volumes);
    await store.add('networks', hour, {
      networks: 14,
      routers: 9,
      floating_ips_total: 40,
      floating_ips_used: 30 + (age % 9),
    });
    await store.add('file_storage', hour, { total: 12 + (age % 5), total_gb: 900 - age });
  }
  redis.disconnect();
}
