import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { completedEstimate, noEstimate } from '@gateway/jobs';
import type { ErrorBody } from '../../support/api/client.ts';
import { instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, completed, instanceMessage, runJob } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import type { StreamEvent } from '../../support/clients/sse-client.ts';
import { eventually } from '../../support/eventually.ts';

interface Job {
  status: string;
}

describe('a progress stream', () => {
  const suite = apiSuite();

  it('has headers against caching, transformation and buffering, and names its job', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });

    assert.equal(stream.status, 200);
    assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(stream.headers.get('cache-control'), 'no-cache, no-transform');
    assert.equal(stream.headers.get('x-accel-buffering'), 'no');
    assert.equal(stream.headers.get('content-encoding'), null);
    assert.match(String(stream.headers.get('x-job-id')), /^[0-9a-f-]{36}$/);
    assert.match(String(stream.headers.get('x-request-id')), /^req-/);
    stream.close();
  });

  it('delivers numbered events as they happen, and ends after the last', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    const jobId = String(stream.headers.get('x-job-id'));
    const log = await claimJob(api, jobId);

    const steps = [
      instanceMessage('BOOT_VOLUME_CREATING', 45, 'One\ntwo.'),
      instanceMessage('SERVER_CREATING', 95),
    ];
    for (const [index, step] of steps.entries()) {
      await log.publish(step);
      const event = await stream.next();
      assert.equal(event?.id, String(index + 1));
      assert.deepEqual(JSON.parse(event?.data ?? ''), {
        ...step,
        job_id: jobId,
        ...noEstimate,
        estimated_progress: step.progress,
      });
      assert.doesNotMatch(event?.data ?? '\n', /\n/);
    }
    await log.end(completed, { status: 'completed', resourceId: 'i-1' });

    const rest = await stream.rest();
    assert.deepEqual(
      rest.map(({ data }) => JSON.parse(data)),
      [{ ...completed, job_id: jobId, ...completedEstimate }],
    );
  });

  it('ends after a failure, too', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { id, path, log } = await runJob(api, caller);
    const failure = { ...instanceMessage('FAILED', -1, 'It failed.'), error: 'No.', code: 'quota_exceeded' };
    await log.end(failure, {
      status: 'failed',
      failure: { status: 409, code: 'quota_exceeded', detail: 'No.' },
    });

    const stream = await api.stream('GET', `${path}/events`, { as: caller });

    assert.deepEqual(
      (await stream.rest()).map(({ data }) => JSON.parse(data)),
      [{ ...failure, job_id: id, ...noEstimate }],
    );
  });

  it('has a reconnection time, and sends heartbeats', async () => {
    const api = await suite.start({ settings: { http: { heartbeat_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);

    const text = await rawStream(api, caller, `${path}/events`, /^: keep-alive$/m);

    assert.match(text, /^retry: \d+$/m);
  });

  it('starts from the beginning for a later reader, at another process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.publish(instanceMessage('BOOT_VOLUME_CREATING', 45));
    await log.publish(instanceMessage('SERVER_CREATING', 95));

    const stream = await other.stream('GET', `${path}/events`, { as: caller });
    const past = [await stream.next(), await stream.next()];
    await log.end(completed, { status: 'completed' });

    assert.deepEqual(
      past.map((event) => event?.id),
      ['1', '2'],
    );
    assert.deepEqual(idsOf(await stream.rest()), ['3']);
  });

  it('resumes after Last-Event-ID without gaps or duplicates', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    for (const progress of [1, 2, 3]) await log.publish(instanceMessage('SERVER_CREATING', progress));

    const stream = await api.stream('GET', `${path}/events`, {
      as: caller,
      headers: { 'last-event-id': '2' },
    });
    await log.end(completed, { status: 'completed' });

    assert.deepEqual(idsOf(await stream.rest()), ['3', '4']);
  });

  it('ends at once for a reader that has received the last event', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.end(completed, { status: 'completed' });

    const stream = await api.stream('GET', `${path}/events`, {
      as: caller,
      headers: { 'last-event-id': '1' },
    });

    assert.deepEqual(await stream.rest(), []);
  });

  it('is 400 for a Last-Event-ID that is not a number', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path } = await runJob(api, caller);

    for (const id of ['abc', '-1', '1.5', '7', '9'.repeat(30)]) {
      const answer = await api.get<ErrorBody>(`${path}/events`, {
        as: caller,
        headers: { 'last-event-id': id },
      });
      assert.equal(answer.status, 400, id);
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['header.Last-Event-ID'],
      );
    }
  });

  it('delivers many past events to a fast reader', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    const long = 'x'.repeat(10_000);
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => log.publish(instanceMessage('SERVER_CREATING', index, long))),
    );
    await log.end(completed, { status: 'completed' });

    const stream = await api.stream('GET', `${path}/events`, { as: caller });

    assert.equal((await stream.rest()).length, 101);
  });

  it('disconnects a reader that receives nothing', async () => {
    const api = await suite.start({ settings: { http: { heartbeat_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    await openStreams(api, 0);
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(requestText(caller, `${path}/events`));
    await openStreams(api, 1);

    const large = 'x'.repeat(500_000);
    await eventually(async () => {
      await log.publish(instanceMessage('SERVER_CREATING', 95, large));
      return (await streamCount(api)) === 0;
    });

    socket.destroy();
    const job = await api.get<Job>(path, { as: caller });
    assert.equal(job.body.status, 'running');
  });

  it('does not affect the job or other readers when its reader disconnects', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    const leaving = await api.stream('GET', `${path}/events`, { as: caller });
    const staying = await api.stream('GET', `${path}/events`, { as: caller });
    await log.publish(instanceMessage('SERVER_CREATING', 50));
    await leaving.next();

    leaving.close();
    await openStreams(api, 1);
    const job = await api.get<Job>(path, { as: caller });
    await log.end(completed, { status: 'completed' });

    assert.equal(job.body.status, 'running');
    assert.deepEqual(idsOf(await staying.rest()), ['1', '2']);
  });

  it('ends with a comment, without last event, when the process stops', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.publish(instanceMessage('SERVER_CREATING', 50));
    const stream = await api.stream('GET', `${path}/events`, { as: caller });
    await stream.next();

    await api.close();

    assert.deepEqual(await stream.rest(), []);
    assert.match(stream.comments.join(), /shutting down/);
  });

  it('ends at once in a stopping process, so that the client reconnects', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 0 } } });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller);
    const { path } = await runJob(api, caller);
    suite.cloud.acceptsToken(caller, { delayMs: 200 });
    const before = suite.cloud.upstream.calls.length;
    const asked = api.stream('GET', `${path}/events`, { as: caller });
    await eventually(async () => suite.cloud.upstream.calls.length > before);

    const closed = api.close();
    const stream = await asked;

    assert.deepEqual(await stream.rest(), []);
    assert.match(stream.comments.join(), /shutting down/);
    await closed;
  });

  it('answers HEAD without waiting for the job', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path, id } = await runJob(api, caller);

    const answer = await api.request('HEAD', `${path}/events`, { as: caller });

    assert.equal(answer.status, 200);
    assert.equal(answer.headers['x-job-id'], id);
  });
});

function idsOf(events: readonly StreamEvent[]): (string | null)[] {
  return events.map(({ id }) => id);
}

async function streamCount(api: TestApi): Promise<number> {
  const { text } = await api.get('/api/metrics');
  return Number(/^gateway_open_streams (\d+)$/m.exec(text)?.[1]);
}

function openStreams(api: TestApi, count: number): Promise<true> {
  return eventually(async () => (await streamCount(api)) === count);
}

function requestText(caller: TestCaller, path: string): string {
  return [
    `GET ${path} HTTP/1.1`,
    'host: gateway',
    `x-auth-token: ${caller.token}`,
    `x-project-id: ${caller.projectId}`,
    '\r\n',
  ].join('\r\n');
}

/** Reads from the connection until the text matches the pattern. */
async function rawStream(api: TestApi, caller: TestCaller, path: string, until: RegExp): Promise<string> {
  const socket = connect(api.port, '127.0.0.1');
  socket.write(requestText(caller, path));
  let text = '';
  while (!until.test(text)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString();
  }
  socket.destroy();
  return text;
}
