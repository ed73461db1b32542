import assert from 'node:assert/strict';
import { rateLimited } from '@gateway/core';
import { jobKeys } from '@gateway/jobs';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { completed, runJob } from '../../support/api/jobs.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import type { EventStream, StreamEvent } from '../../support/clients/sse-client.ts';

const JOBS = '/api/events?types=job';

/** The first event of a stream. */
async function begun(stream: EventStream): Promise<StreamEvent> {
  const first = await stream.next();
  assert.ok(first);
  return first;
}

function open(api: TestApi, caller: TestCaller, path = JOBS, lastEventId?: string): Promise<EventStream> {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return api.stream('GET', path, { as: caller, headers });
}

describe('GET /api/events', () => {
  const suite = apiSuite();

  it('has the headers of a stream, and begins with the types', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const stream = await open(api, caller);

    assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(stream.headers.get('cache-control'), 'no-cache, no-transform');
    assert.equal(stream.headers.get('x-accel-buffering'), 'no');
    assert.equal(stream.headers.get('x-job-id'), null);
    const { id, name, data } = await begun(stream);
    assert.match(id ?? '', /^\d+-\d+$/);
    assert.deepEqual([name, JSON.parse(data)], ['ready', { types: ['job'] }]);
    stream.close();
  });

  it('has the states of a job, without its contents, at every process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    const streams = [await open(api, caller), await open(other, caller)];
    for (const stream of streams) await begun(stream);

    const { id, log } = await runJob(api, caller);
    await log.end(completed, { status: 'completed' });

    const of = (change: string, state: string) => ({ type: 'job', id, change, state, job_id: id });
    for (const stream of streams) {
      const expected = [of('created', 'queued'), of('updated', 'running'), of('updated', 'completed')];
      for (const each of expected) assert.deepEqual(await stream.nextJson(), each);
      stream.close();
    }
  });

  it('continues after the last event, of the header, else of the query', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await open(api, caller);
    await begun(stream);
    const { log } = await runJob(api, caller);
    const created = await stream.next();
    const running = await stream.next();
    stream.close();
    await log.end(completed, { status: 'completed' });

    const byHeader = await open(api, caller, `${JOBS}&last_event_id=${created?.id}`, running?.id ?? '');
    const byQuery = await open(api, caller, `${JOBS}&last_event_id=${created?.id}`);

    for (const [resumed, states] of [
      [byHeader, ['completed']],
      [byQuery, ['running', 'completed']],
    ] as const) {
      assert.equal((await begun(resumed)).name, 'ready');
      for (const state of states) {
        assert.equal((await resumed.nextJson<{ state: string }>())?.state, state);
      }
      resumed.close();
    }
  });

  it('begins with a reset if the log no longer has the position', async () => {
    const api = await suite.start({ settings: { events: { log_length: 10 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await open(api, caller);
    const { id: position } = await begun(stream);
    stream.close();
    for (let count = 0; count < 6; count += 1) await runJob(api, caller);

    const resumed = await open(api, caller, JOBS, position ?? '');

    const { name, data, id } = await begun(resumed);
    assert.deepEqual([name, JSON.parse(data)], ['reset', { types: ['job'] }]);
    const { id: job } = await runJob(api, caller);
    const next = await resumed.next();
    assert.equal(JSON.parse(next?.data ?? '').id, job);
    assert.notEqual(next?.id, id);
    resumed.close();
  });

  it('sends a reset when the store has lost the log', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await open(api, caller);
    await begun(stream);
    const { store } = api.context.redis;
    await store.del(jobKeys.changes(caller.projectId), jobKeys.listening(caller.projectId));
    // As another process would, whose listener comes later.
    await api.context.changes.listen(caller.projectId);

    await runJob(api, caller);

    assert.equal((await stream.next())?.name, 'reset');
    const { id } = await runJob(api, caller);
    for await (const { data } of stream) if (JSON.parse(data).id === id) break;
    stream.close();
  });

  for (const [what, path, field, lastEventId] of [
    ['an unknown type', '/api/events?types=volume,disk', 'query.types', undefined],
    ['an empty type', '/api/events?types=', 'query.types', undefined],
    ['an id that no event has', `${JOBS}&last_event_id=7`, 'query.last_event_id', undefined],
    ['a header with an id that no event has', JOBS, 'header.Last-Event-ID', 'abc'],
    ['an unknown parameter', `${JOBS}&state=ACTIVE`, 'query.state', undefined],
  ] as const) {
    it(`is 400 for ${what}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const headers: Record<string, string> =
        lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const answer = await api.get<ErrorBody>(path, { as: caller, headers });

      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(
        answer.body.errors?.map((error) => error.field),
        [field],
      );
    });
  }

  it('is 401 without a token, and 400 without a project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const statuses = [
      (await api.get(JOBS)).status,
      (await api.get(JOBS, { headers: { 'x-auth-token': caller.token } })).status,
    ];

    assert.deepEqual(statuses, [401, 400]);
  });

  it('has no events of another project, nor takes its positions', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const stranger = suite.cloud.validCaller(inOtherProject(newCaller()));
    const own = await open(api, caller);
    const foreign = await open(api, stranger);
    const { id: position } = await begun(own);
    await begun(foreign);

    await runJob(api, caller);
    const { id } = await runJob(api, stranger);

    assert.equal((await foreign.nextJson<{ id: string }>())?.id, id);
    const created = await own.next();
    const resumed = await open(api, stranger, JOBS, created?.id ?? position ?? '');
    assert.equal((await begun(resumed)).name, 'reset');
    for (const stream of [own, foreign, resumed]) stream.close();
  });

  it('counts towards the limit of streams of the user', async () => {
    const api = await suite.start({ settings: { http: { streams_per_user: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await open(api, caller);

    const refused = await api.get<ErrorBody>(JOBS, { as: caller });

    assert.equal(refused.status, 429);
    stream.close();
  });

  it('ends with the session', async () => {
    const api = await suite.start({
      settings: { http: { heartbeat_seconds: 1 }, session: { token_cache_seconds: 0 } },
    });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller, { times: 2 });
    const stream = await open(api, caller);
    await begun(stream);

    suite.cloud.rejectsToken(caller.token);

    assert.equal(await stream.next(), null);
    assert.match(stream.comments.join(), /has ended/);
  });

  it('ends for a caller who has been refused too often', async () => {
    const api = await suite.start({ settings: { http: { heartbeat_seconds: 1 } } });
    const stream = await open(api, suite.cloud.validCaller(newCaller()));
    await begun(stream);

    api.context.authenticator.authenticate = async () => {
      throw rateLimited('Too many refusals.');
    };

    assert.equal(await stream.next(), null);
    assert.match(stream.comments.join(), /has ended/);
  });

  it('ends with a comment at a shutdown, and continues at another process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await open(api, caller);
    const { id: position } = await begun(stream);

    await api.close();
    assert.deepEqual(await stream.rest(), []);
    assert.match(stream.comments.join(), /shutting down/);
    const { id } = await runJob(other, caller);
    const resumed = await open(other, caller, JOBS, position ?? '');

    assert.equal((await begun(resumed)).name, 'ready');
    assert.equal((await resumed.nextJson<{ id: string }>())?.id, id);
    resumed.close();
  });

  it('answers HEAD with the headers alone', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const answer = await api.request('HEAD', JOBS, { as: caller });

    assert.deepEqual([answer.status, answer.text], [200, '']);
  });
});

describe('POST /api/events/ticket', () => {
  const suite = apiSuite();

  async function ticketFor(api: TestApi, caller: TestCaller, path = '/api/events'): Promise<string> {
    const answer = await api.post<{ ticket: string }>(`${path}/ticket`, { as: caller });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers['cache-control'], 'no-store');
    return answer.body.ticket;
  }

  it('opens one stream without headers, in the project of the caller', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const ticket = await ticketFor(api, caller);

    const stream = await api.stream('GET', `${JOBS}&ticket=${ticket}`);
    const again = await api.get<ErrorBody>(`${JOBS}&ticket=${ticket}`);

    await begun(stream);
    const { id } = await runJob(api, caller);
    assert.equal((await stream.nextJson<{ id: string }>())?.id, id);
    assert.deepEqual([again.status, again.body.code], [401, 'invalid_ticket']);
    stream.close();
  });

  it('opens no stream of a job, nor the other way round', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);
    const ofProject = await ticketFor(api, caller);
    const ofJob = await ticketFor(api, caller, path);

    const answers = [
      await api.get(`${path}/events?ticket=${ofProject}`),
      await api.get(`/api/jobs?ticket=${ofProject}`),
      await api.get(`${JOBS}&ticket=${ofJob}`),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401],
    );
  });

  it('is in no log and not in the store', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const ticket = await ticketFor(api, caller);
    await api.get(`/api/events?types=disk&ticket=${ticket}x`);

    for (const text of [api.log.text(), ...(await allStoredData(api))]) {
      assert.equal(text.includes(ticket), false);
    }
  });
});
