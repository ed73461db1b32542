import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { completed, runJob } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import type { EventStream } from '../../support/clients/sse-client.ts';
import { eventually } from '../../support/eventually.ts';

describe('the number of event streams', () => {
  const suite = apiSuite();
  const opened: EventStream[] = [];

  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close();
  });

  function startWith(http: Record<string, number>): Promise<TestApi> {
    return suite.start({ settings: { http } });
  }

  async function open(api: TestApi, as: TestCaller, path: string): Promise<EventStream> {
    const stream = await api.stream('GET', path, { as });
    opened.push(stream);
    return stream;
  }

  /** Resolves once a stream no longer counts. */
  function isFree(api: TestApi, as: TestCaller, path: string): Promise<true> {
    return eventually(async () => {
      const { status } = await api.request('HEAD', path, { as });
      return status === 200;
    });
  }

  it('is limited per user: another is 429, and other users are unaffected', async () => {
    const api = await startWith({ streams_per_user: 2 });
    const caller = suite.cloud.validCaller(newCaller());
    const colleague = suite.cloud.validCaller(newCaller({ userId: 'u-2' }));
    const { path } = await runJob(api, caller);
    await isFree(api, caller, `${path}/events`);
    await open(api, caller, `${path}/events`);
    await open(api, caller, `${path}/events`);

    const refused = await api.get<ErrorBody>(`${path}/events`, { as: caller });

    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.match(refused.body.detail, /too many event streams/);
    assert.equal((await open(api, colleague, `${path}/events`)).status, 200);
    assert.equal((await api.get(path, { as: caller })).status, 200, 'only streams are counted');
  });

  it('counts the streams of a user in all projects', async () => {
    const api = await startWith({ streams_per_user: 1 });
    const caller = suite.cloud.validCaller(newCaller());
    const elsewhere = suite.cloud.validCaller(inOtherProject(caller));
    const { path } = await runJob(api, caller);
    await isFree(api, caller, `${path}/events`);
    await open(api, caller, `${path}/events`);

    const refused = await api.get(`${path}/events`, { as: elsewhere });

    assert.equal(refused.status, 429);
  });

  it('is limited for a process, across users', async () => {
    const api = await startWith({ streams_per_process: 1 });
    const caller = suite.cloud.validCaller(newCaller());
    const colleague = suite.cloud.validCaller(newCaller({ userId: 'u-2' }));
    const { path } = await runJob(api, caller);
    await isFree(api, caller, `${path}/events`);
    await open(api, caller, `${path}/events`);

    const refused = await api.get<ErrorBody>(`${path}/events`, { as: colleague });

    assert.equal(refused.status, 429);
    assert.match(refused.body.detail, /open in this process/);
  });

  it('refuses a creation before its job is enqueued', async () => {
    const api = await startWith({ streams_per_user: 1 });
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);
    await isFree(api, caller, `${path}/events`);
    await open(api, caller, `${path}/events`);

    const refused = await api.post('/api/instances/async', { as: caller, body: instanceRequest() });

    assert.equal(refused.status, 429);
    const jobs = await api.get<{ items: unknown[] }>('/api/jobs', { as: caller });
    assert.equal(jobs.body.items.length, 1);
  });

  it("decreases after disconnection, the job's end, and requests without stream", async () => {
    const api = await startWith({ streams_per_user: 1 });
    const caller = suite.cloud.validCaller(newCaller());
    // Its client disconnects at once.
    const { path, log } = await runJob(api, caller);
    const events = `${path}/events`;
    await isFree(api, caller, events);

    const bad = await api.post('/api/instances/async', { as: caller, body: {} });
    const absent = await api.get('/api/jobs/00000000-0000-4000-8000-000000000000/events', { as: caller });
    assert.deepEqual([bad.status, absent.status], [400, 404]);
    await isFree(api, caller, events);

    const stream = await open(api, caller, events);
    await log.end(completed, { status: 'completed' });
    await stream.rest();
    await isFree(api, caller, events);
    const again = await open(api, caller, events);
    assert.equal((await again.rest()).length, 1);
  });
});
