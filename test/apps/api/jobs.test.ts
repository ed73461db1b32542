import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ProgressLog } from '@gateway/jobs';
import type { ErrorAnswer } from '../../support/api/client.ts';
import { inOtherProject, instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, instanceMessage, queuedJob } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';
import type { StreamEvent } from '../../support/sse-client.ts';

interface Job {
  id: string;
  type: string;
  status: string;
  step: string | null;
  progress: number;
  message: string;
  resource_id: string | null;
  error: string | null;
}

/** A job in its worker's hands, without a worker: the test writes its progress. */
interface RunningJob {
  id: string;
  path: string;
  log: ProgressLog;
}

async function runJob(api: TestApi, caller: TestCaller): Promise<RunningJob> {
  const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
  const id = String(stream.headers.get('x-job-id'));
  stream.close();
  return { id, path: `/api/jobs/${id}`, log: await claimJob(api, id) };
}

const completed = { ...instanceMessage('COMPLETED', 100), instance_id: 'i-1' };

function idsOf(events: readonly StreamEvent[]): (string | null)[] {
  return events.map(({ id }) => id);
}

describe('a progress stream', () => {
  const suite = apiSuite();

  it('has headers that keep it from being stored, changed or held back, and names its job', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());

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

  it('brings each event as it happens, numbered, one line of data each, and ends after the last', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    const log = await claimJob(api, String(stream.headers.get('x-job-id')));

    const steps = [
      instanceMessage('BOOT_VOLUME_CREATING', 45, 'One\ntwo.'),
      instanceMessage('SERVER_CREATING', 95),
    ];
    for (const [index, step] of steps.entries()) {
      await log.append(step);
      const event = await stream.next();
      assert.equal(event?.id, String(index + 1));
      assert.deepEqual(JSON.parse(event?.data ?? ''), step);
      assert.doesNotMatch(event?.data ?? '\n', /\n/);
    }
    await log.append(completed, { status: 'completed', resourceId: 'i-1' });

    const rest = await stream.rest();
    assert.deepEqual(
      rest.map(({ data }) => JSON.parse(data)),
      [completed],
    );
  });

  it('ends after a failure, too', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    const failure = { ...instanceMessage('FAILED', -1, 'It failed.'), error: 'No.', code: 'quota_exceeded' };
    await log.append(failure, {
      status: 'failed',
      failure: { status: 409, code: 'quota_exceeded', detail: 'No.' },
    });

    const stream = await api.stream('GET', `${path}/events`, { as: caller });

    assert.deepEqual(
      (await stream.rest()).map(({ data }) => JSON.parse(data)),
      [failure],
    );
  });

  it('tells clients how soon to come back, and says something while nothing happens', async () => {
    const api = await suite.start({ settings: { http: { heartbeat_seconds: 1 } } });
    const caller = suite.cloud.known(newCaller());
    const { path } = await runJob(api, caller);

    const text = await rawStream(api, caller, `${path}/events`, /^: keep-alive$/m);

    assert.match(text, /^retry: \d+$/m);
  });

  it('starts from the beginning for whoever comes later, at another process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.append(instanceMessage('BOOT_VOLUME_CREATING', 45));
    await log.append(instanceMessage('SERVER_CREATING', 95));

    const stream = await other.stream('GET', `${path}/events`, { as: caller });
    const past = [await stream.next(), await stream.next()];
    await log.append(completed, { status: 'completed' });

    assert.deepEqual(
      past.map((event) => event?.id),
      ['1', '2'],
    );
    assert.deepEqual(idsOf(await stream.rest()), ['3']);
  });

  it('goes on after Last-Event-ID without gap or repeat', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    for (const progress of [1, 2, 3]) await log.append(instanceMessage('SERVER_CREATING', progress));

    const stream = await api.stream('GET', `${path}/events`, {
      as: caller,
      headers: { 'last-event-id': '2' },
    });
    await log.append(completed, { status: 'completed' });

    assert.deepEqual(idsOf(await stream.rest()), ['3', '4']);
  });

  it('ends at once for whoever has seen the last event', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.append(completed, { status: 'completed' });

    const stream = await api.stream('GET', `${path}/events`, {
      as: caller,
      headers: { 'last-event-id': '1' },
    });

    assert.deepEqual(await stream.rest(), []);
  });

  it('is 400 for a Last-Event-ID that is no event', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path } = await runJob(api, caller);

    for (const id of ['abc', '-1', '1.5', '7', '9'.repeat(30)]) {
      const answer = await api.get<ErrorAnswer>(`${path}/events`, {
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

  it('brings a long past whole to a reader that keeps up', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    const long = 'x'.repeat(10_000);
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => log.append(instanceMessage('SERVER_CREATING', index, long))),
    );
    await log.append(completed, { status: 'completed' });

    const stream = await api.stream('GET', `${path}/events`, { as: caller });

    assert.equal((await stream.rest()).length, 101);
  });

  it('lets a reader go that does not take what is sent', async () => {
    const api = await suite.start({ settings: { http: { heartbeat_seconds: 1 } } });
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    await openStreams(api, 0);
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(requestText(caller, `${path}/events`));
    await openStreams(api, 1);

    const large = 'x'.repeat(500_000);
    await eventually(async () => {
      await log.append(instanceMessage('SERVER_CREATING', 95, large));
      return (await streamCount(api)) === 0 || undefined;
    });

    socket.destroy();
    const job = await api.get<Job>(path, { as: caller });
    assert.equal(job.body.status, 'running');
  });

  it('that its reader leaves changes nothing for the job and other readers', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    const leaving = await api.stream('GET', `${path}/events`, { as: caller });
    const staying = await api.stream('GET', `${path}/events`, { as: caller });
    await log.append(instanceMessage('SERVER_CREATING', 50));
    await leaving.next();

    leaving.close();
    await openStreams(api, 1);
    const job = await api.get<Job>(path, { as: caller });
    await log.append(completed, { status: 'completed' });

    assert.equal(job.body.status, 'running');
    assert.deepEqual(idsOf(await staying.rest()), ['1', '2']);
  });

  it('ends with a comment and no last event when the process stops', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.append(instanceMessage('SERVER_CREATING', 50));
    const stream = await api.stream('GET', `${path}/events`, { as: caller });
    await stream.next();

    await api.close();

    assert.deepEqual(await stream.rest(), []);
    assert.match(stream.comments.join(), /shutting down/);
  });

  it('that is asked for while the process stops ends at once, for the client to come back elsewhere', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 0 } } });
    const caller = newCaller();
    suite.cloud.knows(caller);
    const { path } = await runJob(api, caller);
    suite.cloud.knows(caller, { delayMs: 200 });
    const before = suite.cloud.upstream.calls.length;
    const asked = api.stream('GET', `${path}/events`, { as: caller });
    await eventually(async () => suite.cloud.upstream.calls.length > before || undefined);

    const closed = api.close();
    const stream = await asked;

    assert.deepEqual(await stream.rest(), []);
    assert.match(stream.comments.join(), /shutting down/);
    await closed;
  });

  it('answers HEAD without waiting for the job', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, id } = await runJob(api, caller);

    const answer = await api.request('HEAD', `${path}/events`, { as: caller });

    assert.equal(answer.status, 200);
    assert.equal(answer.headers['x-job-id'], id);
  });
});

describe('POST /api/instances', () => {
  const suite = apiSuite();

  it('waits for the same job, and answers its failure with the status it maps to', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const answered = api.post<ErrorAnswer>('/api/instances', { as: caller, body: instanceRequest() });
    const jobId = await queuedJob(api, 'provisioning');
    const log = await claimJob(api, jobId);
    const detail = 'The quota of instances is used up.';

    await log.append(
      { ...instanceMessage('FAILED', -1, detail), error: detail },
      { status: 'failed', failure: { status: 409, code: 'quota_exceeded', detail } },
    );

    const answer = await answered;
    assert.equal(answer.status, 409);
    assert.deepEqual(
      { code: answer.body.code, detail: answer.body.detail, job_id: answer.body.job_id },
      { code: 'quota_exceeded', detail, job_id: jobId },
    );
  });

  it('is 504 with the job when the job takes too long, and the job goes on', async () => {
    const api = await suite.start({ settings: { time_limits: { sync_create_seconds: 1 } } });
    const caller = suite.cloud.known(newCaller());

    const answer = await api.post<ErrorAnswer>('/api/instances', { as: caller, body: instanceRequest() });

    assert.equal(answer.status, 504);
    const job = await api.get<Job>(`/api/jobs/${answer.body.job_id}`, { as: caller });
    assert.equal(job.body.status, 'queued');
  });

  it('puts exactly what was asked for into the job, and no token', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const stream = await api.stream('POST', '/api/instances/async', {
      as: caller,
      body: instanceRequest({ key_name: 'my key', boot_volume_size_gb: 30 }),
      headers: { 'x-request-id': 'req-0f3c2a9e-5b8d-4c1e-9a77-1234567890ab' },
    });
    stream.close();

    const [key = ''] = await api.context.redis.queue
      .keys(`*${api.keyPrefix}*${stream.headers.get('x-job-id')}`)
      .then((keys) => keys.filter((name) => name.includes('provisioning')));
    const data = JSON.parse((await api.context.redis.queue.hget(key, 'data')) ?? '{}');
    assert.equal(data.type, 'instance.create');
    assert.equal(data.requestId, 'req-0f3c2a9e-5b8d-4c1e-9a77-1234567890ab');
    assert.equal(data.projectId, caller.projectId);
    assert.deepEqual(data.payload, {
      name: 'web-1',
      imageId: instanceRequest().image_id,
      flavorId: instanceRequest().flavor_id,
      libraryIds: [],
      strategy: null,
      networkId: null,
      keyName: 'my key',
      availabilityZone: null,
      bootVolumeSizeGb: 30,
      sealedAdminPass: null,
    });
  });
});

describe('a job', () => {
  const suite = apiSuite();

  it('tells where it stands', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { id, path, log } = await runJob(api, caller);
    await log.append(instanceMessage('SERVER_CREATING', 95, 'The server is being made.'), {
      resourceId: 'i-1',
    });

    const { body } = await api.get<Job>(path, { as: caller });

    assert.deepEqual(
      { ...body, created_at: undefined, updated_at: undefined },
      {
        id,
        type: 'instance.create',
        status: 'running',
        step: 'SERVER_CREATING',
        progress: 95,
        message: 'The server is being made.',
        resource_id: 'i-1',
        error: null,
        leftovers: [],
        created_at: undefined,
        updated_at: undefined,
      },
    );
  });

  it('tells what could not be removed', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    const leftovers = [{ type: 'volume', id: 'v-1', reason: 'It is in use.' }];
    await log.append(instanceMessage('FAILED', -1), {
      status: 'failed',
      failure: { status: 502, code: 'upstream_error', detail: 'It failed.' },
      leftovers,
    });

    const { body } = await api.get<Job & { leftovers: unknown }>(path, { as: caller });

    assert.equal(body.status, 'failed');
    assert.equal(body.error, 'It failed.');
    assert.deepEqual(body.leftovers, leftovers);
  });

  it('of another project is 404, like one that is not there', async () => {
    const api = await suite.start();
    const owner = suite.cloud.known(newCaller());
    const stranger = suite.cloud.known(inOtherProject(newCaller()));
    const { path } = await runJob(api, owner);
    const absent = '/api/jobs/00000000-0000-4000-8000-000000000000';

    for (const at of [path, absent]) {
      const answers = [
        await api.get<ErrorAnswer>(at, { as: stranger }),
        await api.get<ErrorAnswer>(`${at}/events`, { as: stranger }),
        await api.post<ErrorAnswer>(`${at}/cancel`, { as: stranger }),
      ];
      for (const { status, body } of answers) {
        assert.equal(status, 404);
        assert.equal(body.detail, 'There is no such job.');
      }
    }
    const job = await api.get<Job>(path, { as: owner });
    assert.equal(job.body.status, 'running');
  });

  it('is asked to stop with 202', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, id } = await runJob(api, caller);

    const answer = await api.post<Job>(`${path}/cancel`, { as: caller });

    assert.equal(answer.status, 202);
    assert.equal(answer.body.id, id);
    assert.equal(await api.context.redis.store.hget(`{jobs}:${id}`, 'cancelRequested'), '1');
  });

  it('that has ended can not be stopped: 409', async () => {
    const api = await suite.start();
    const caller = suite.cloud.known(newCaller());
    const { path, log } = await runJob(api, caller);
    await log.append(completed, { status: 'completed' });

    const answer = await api.post<ErrorAnswer>(`${path}/cancel`, { as: caller });

    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, 'conflict');
  });
});

async function streamCount(api: TestApi): Promise<number> {
  const { text } = await api.get('/api/metrics');
  return Number(/^gateway_open_streams (\d+)$/m.exec(text)?.[1]);
}

function openStreams(api: TestApi, count: number): Promise<true> {
  return eventually(async () => (await streamCount(api)) === count || undefined);
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

/** What comes over the wire until the pattern is in it. */
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
