import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { type PageServer, servePages } from '../support/browser/page-server.ts';
import { GatewayClient, type InstanceMessage } from '../support/clients/gateway-client.ts';
import { installPackedClient } from '../support/clients/packed-client.ts';
import type { PackedProject } from '../support/clients/packed-project.ts';
import { eventually } from '../support/eventually.ts';
import { requireProgram } from '../support/skip-without.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

type Event = InstanceMessage & { id: number };

/** The packed client, which a page of another origin loads without a build. */
describe('the client in a browser', function () {
  this.timeout(300_000);
  let project: PackedProject;
  let pages: PageServer;
  let stack: Stack;
  let page: ChromiumPage;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    project = await installPackedClient();
    pages = await servePages(import.meta.dirname, project.folder);
    stack = await startTestStack({ config: { http: { cors_origins: [pages.origin] } } });
    page = await ChromiumPage.open(chromium, `${pages.origin}/client.html`);
  });

  after(async () => {
    await page?.close();
    await stack?.stop();
    await pages?.close();
    project?.remove();
  });

  it('creates an instance without gaps or repetitions across an api restart', async () => {
    const { password, projectName, username } = testLogin('demo');
    const given = [stack.url, { username, password, project_name: projectName }, 'debian-12', 'm1.tiny'];
    const created = page.evaluate(`createInstance(...${JSON.stringify(given)})`);
    await eventually(async () => (await page.evaluate<number>('events.length')) >= 2);

    await stack.apis[0]?.kill('SIGKILL');
    await stack.apis[0]?.restart();
    await created;

    const events = await page.evaluate<Event[]>('events');
    assert.deepEqual(
      events.map(({ id }) => id),
      events.map((_event, index) => index + 1),
    );
    const last = events.at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    assert.ok((await page.evaluate<number>('reconnects')) >= 1, 'the stream was resumed');
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const deleted = await gateway.request('DELETE', `/api/instances/${last.instance_id}`);
    assert.equal(deleted.status, 204);
  });

  it('follows a job with tickets in place of headers', async () => {
    const events = await page.evaluate<Event[]>('events');
    const jobId = events[0]?.job_id ?? '';

    const ids = await page.evaluate<number[]>(`followWithTickets(${JSON.stringify(jobId)}, 2)`);

    assert.deepEqual(ids, events.map(({ id }) => id).slice(2));
    const followed = page.requests.filter((each) => each.includes('ticket=')).at(-1) ?? '';
    assert.match(
      followed,
      new RegExp(`^GET ${stack.url}/api/jobs/${jobId}/events\\?ticket=\\S+&last_event_id=2$`),
    );
  });

  it('can read errors with their code and request id', async () => {
    const told = await page.evaluate<string>('codeOf("not-there-1")');

    assert.match(told, /^404 not_found req-/);
  });
});
