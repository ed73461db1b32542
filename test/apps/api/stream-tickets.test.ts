import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, completed, instanceMessage, runJob } from '../../support/api/jobs.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

interface Ticket {
  ticket: string;
  expires_at: string;
}

describe('POST /api/jobs/{job_id}/ticket', () => {
  const suite = apiSuite();

  async function ticketFor(api: TestApi, as: TestCaller, path: string): Promise<string> {
    const answer = await api.post<Ticket>(`${path}/ticket`, { as });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.ticket;
  }

  /** Opens the stream like an `EventSource`, which cannot set headers. */
  function follow(api: TestApi, path: string, ticket: string, query = '') {
    return api.stream('GET', `${path}/events?ticket=${ticket}${query}`);
  }

  function refusal(api: TestApi, path: string, ticket: string) {
    return api.get<ErrorBody>(`${path}/events?ticket=${ticket}`);
  }

  it('issues a long random ticket for a minute, uncacheable', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);

    const before = api.context.clock.now();
    const answer = await api.post<Ticket>(`${path}/ticket`, { as: caller });
    const after = api.context.clock.now();

    assert.equal(answer.status, 201);
    assert.match(answer.body.ticket, /^[\w-]{43}$/);
    // Timestamps have whole seconds.
    const expiresAt = Date.parse(answer.body.expires_at);
    assert.ok(expiresAt > before + 59_000 && expiresAt <= after + 60_000, answer.body.expires_at);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const other = await api.post<Ticket>(`${path}/ticket`, { as: caller });
    assert.notEqual(other.body.ticket, answer.body.ticket);
  });

  it('lets a client without headers follow the job, at any process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    const { id, path, log } = await runJob(api, caller);
    await log.publish(instanceMessage('BOOT_VOLUME_CREATING', 45));

    const stream = await follow(other, path, await ticketFor(api, caller, path));
    await log.end(completed, { status: 'completed' });

    assert.equal(stream.headers.get('x-job-id'), id);
    const events = await stream.rest();
    assert.deepEqual(
      events.map((event) => event.id),
      ['1', '2'],
    );
  });

  it('issues tickets for one use: repetition is 401, without EventSource retries', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);
    const ticket = await ticketFor(api, caller, path);
    const stream = await follow(api, path, ticket);
    stream.close();

    const again = await refusal(api, path, ticket);

    assert.deepEqual([again.status, again.body.code], [401, 'invalid_ticket']);
  });

  it('issues tickets that only one of several concurrent requests can use', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.end(completed, { status: 'completed' });
    const ticket = await ticketFor(api, caller, path);

    const answers = await Promise.all(Array.from({ length: 10 }, () => refusal(api, path, ticket)));

    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, ...Array(9).fill(401)]);
  });

  it('resumes after the event id of the header, else the query', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    for (const progress of [1, 2, 3]) await log.publish(instanceMessage('SERVER_CREATING', progress));
    await log.end(completed, { status: 'completed' });

    const byAddress = await follow(api, path, await ticketFor(api, caller, path), '&last_event_id=2');
    const byHeader = await api.stream(
      'GET',
      `${path}/events?ticket=${await ticketFor(api, caller, path)}&last_event_id=1`,
      { headers: { 'last-event-id': '3' } },
    );

    const ids = [await byAddress.rest(), await byHeader.rest()].map((events) => events.map(({ id }) => id));
    assert.deepEqual(ids, [['3', '4'], ['4']]);
  });

  it("is refused for another project's job, like its tickets for another job", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const stranger = suite.cloud.validCaller(inOtherProject(newCaller()));
    const { path } = await runJob(api, caller);
    const { path: otherPath } = await runJob(api, caller);
    const ticket = await ticketFor(api, caller, path);

    assert.equal((await api.post(`${path}/ticket`, { as: stranger })).status, 404);
    assert.equal((await refusal(api, otherPath, ticket)).status, 401);

    const stream = await follow(api, path, ticket);
    assert.equal(stream.status, 200, 'the ticket was not used up');
    stream.close();
  });

  it('issues tickets for the events of one job only', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);
    const ticket = await ticketFor(api, caller, path);

    const answers = [
      await api.get(`${path}?ticket=${ticket}`),
      await api.get(`/api/jobs?ticket=${ticket}`),
      await api.post(`${path}/cancel?ticket=${ticket}`),
      await api.post(`${path}/ticket?ticket=${ticket}`),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 401],
    );
  });

  it('issues tickets that expire', async () => {
    const api = await suite.start({ settings: { http: { stream_ticket_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);
    const ticket = await ticketFor(api, caller, path);
    const { queue } = api.context.redis;

    await eventually(async () => {
      const keys = await queue.keys(`${api.keyPrefix}stream-ticket:*`);
      return keys.length === 0;
    });

    assert.equal((await refusal(api, path, ticket)).status, 401);
  });

  it('issues tickets that end with their session', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);
    const ticket = await ticketFor(api, caller, path);

    // The job still works with the token, which is therefore revoked later.
    assert.equal((await api.post('/api/auth/logout', { as: caller })).status, 204);
    const refused = await refusal(api, path, ticket);

    assert.deepEqual([refused.status, refused.body.code], [401, 'session_expired']);
  });

  it('issues tickets that become invalid when project access ends', async () => {
    const settings = { session: { token_cache_seconds: 0 } };
    const api = await suite.start({ settings });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller, { times: 2 });
    const { path } = await runJob(api, caller);
    const ticket = await ticketFor(api, caller, path);

    suite.cloud.rejectsToken(caller.token);
    const refused = await refusal(api, path, ticket);

    assert.deepEqual([refused.status, refused.body.code], [401, 'unauthorized']);
  });

  it('is ignored in a request with a token', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.end(completed, { status: 'completed' });

    const answer = await api.get(`${path}/events?ticket=used-long-ago`, { as: caller });

    assert.equal(answer.status, 200);
  });

  it('replays the ticket for an Idempotency-Key, else issues another', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);
    const headers = { 'idempotency-key': 'key-1' };

    const first = await api.post<Ticket>(`${path}/ticket`, { as: caller, headers });
    const again = await api.post<Ticket>(`${path}/ticket`, { as: caller, headers });

    const another = await api.post<Ticket>(`${path}/ticket`, { as: caller });

    assert.equal(first.body.ticket, again.body.ticket);
    assert.notEqual(first.body.ticket, another.body.ticket);
  });

  it("counts streams with a ticket towards the user's limit", async () => {
    const api = await suite.start({ settings: { http: { streams_per_user: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);
    await eventually(async () => {
      const { status } = await api.request('HEAD', `${path}/events`, { as: caller });
      return status === 200;
    });
    const stream = await follow(api, path, await ticketFor(api, caller, path));

    const refused = await refusal(api, path, await ticketFor(api, caller, path));

    assert.equal(refused.status, 429);
    stream.close();
  });

  it('exposes no ticket in logs, metrics, errors or the store', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.end(completed, { status: 'completed' });
    const [used, bad, unused] = [
      await ticketFor(api, caller, path),
      await ticketFor(api, caller, path),
      await ticketFor(api, caller, path),
    ];

    const answers = [
      await refusal(api, path, used),
      await refusal(api, path, used),
      await refusal(api, path, `${bad}&last_event_id=99`),
      await refusal(api, path, `${unused}${unused}`),
      await api.get(`${path}/event?ticket=${unused}`),
      await api.request('PUT', `${path}/events?ticket=${unused}`),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 401, 400, 401, 404, 405],
    );
    await eventually(async () => api.log.withMessage('Request').length >= 10);
    const metrics = await api.get('/api/metrics');
    const texts = [
      api.log.text(),
      metrics.text,
      ...answers.map((answer) => `${answer.text} ${JSON.stringify(answer.headers)}`),
      ...(await allStoredData(api)),
    ];
    for (const text of texts) {
      for (const ticket of [used, bad, unused]) assert.equal(text.includes(ticket), false);
      assert.doesNotMatch(text, /gAAAAA/);
    }
  });
});

describe('a stream whose process stops', () => {
  const suite = apiSuite();

  it('resumes at another process without headers, gaps or duplicates', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller);
    const { id, path } = await runJob(api, caller);
    const log = await claimJob(other, id);
    const ticket = await api.post<Ticket>(`${path}/ticket`, { as: caller });
    const first = await api.stream('GET', `${path}/events?ticket=${ticket.body.ticket}`);
    await log.publish(instanceMessage('BOOT_VOLUME_CREATING', 45));
    const seen = await first.next();

    await api.close();
    assert.deepEqual(await first.rest(), []);
    assert.match(first.comments.join(), /shutting down/);
    const next = await other.post<Ticket>(`${path}/ticket`, { as: caller });
    const rest = await other.stream(
      'GET',
      `${path}/events?ticket=${next.body.ticket}&last_event_id=${seen?.id}`,
    );
    await log.end(completed, { status: 'completed' });

    const events = await rest.rest();
    assert.deepEqual(
      events.map((event) => [event.id, JSON.parse(event.data)]),
      [
        [
          '2',
          {
            ...completed,
            job_id: id,
            estimated_end_at: null,
            estimated_progress: 100,
            estimated_step_end_at: null,
            estimated_step_progress: null,
          },
        ],
      ],
    );
  });
});
