import assert from 'node:assert/strict';
import { newId, notFound } from '@gateway/core';
import { type JobFailure, readJob } from '@gateway/jobs';
import { keyedRequest } from '../../../apps/api/src/http/idempotency/key.ts';
import { IdempotencyStore } from '../../../apps/api/src/http/idempotency/store.ts';
import type { ErrorBody, RequestOptions } from '../../support/api/client.ts';
import { instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, completed, instanceMessage, queuedJob } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import type { EventStream } from '../../support/clients/sse-client.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

function keyed(as: TestCaller, differences: Record<string, unknown> = {}): RequestOptions {
  return { as, body: instanceRequest(differences), headers: { 'idempotency-key': 'key-1' } };
}

describe('POST /api/instances/async with an Idempotency-Key', () => {
  const suite = apiSuite();

  it('streams the same job from its start to every repetition, anywhere', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    const first = await create(api, caller);
    const log = await claimJob(api, jobIdOf(first));
    await log.publish(instanceMessage('BOOT_VOLUME_CREATING', 45));

    const again = await create(other, caller);
    await log.end(completed, { status: 'completed' });

    assert.equal(jobIdOf(again), jobIdOf(first));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.headers.get('idempotent-replayed'), null);
    for (const stream of [first, again]) {
      assert.deepEqual(
        (await stream.rest()).map(({ id }) => id),
        ['1', '2'],
      );
    }
  });

  it('streams a job again after its end', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const first = await create(api, caller);
    await (await claimJob(api, jobIdOf(first))).end(completed, { status: 'completed' });
    await first.rest();

    const again = await create(api, caller);

    assert.equal(jobIdOf(again), jobIdOf(first));
    assert.equal((await again.rest()).length, 1);
    assert.equal((await readJob(api.context.redis.store, jobIdOf(again)))?.status, 'completed');
  });

  it('starts one job for concurrent requests to two processes', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    await api.get('/api/auth/me', { as: caller });

    const streams = await Promise.all(
      [api, other, api, other, api, other].map((process) => create(process, caller)),
    );

    assert.deepEqual(new Set(streams.map(jobIdOf)), new Set([await queuedJob(api, 'provisioning')]));
    assert.deepEqual(await jobsQueued(api), [jobIdOf(streams[0])]);
    for (const stream of streams) stream.close();
  });

  it('is 409 with another body, and starts no job', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    (await create(api, caller)).close();

    const answer = await api.post<ErrorBody>(
      '/api/instances/async',
      keyed(caller, { admin_pass: 'another-secret' }),
    );

    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, 'idempotency_mismatch');
    assert.equal((await jobsQueued(api)).length, 1);
  });

  it('starts a job per key, and per request without a key', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const body = instanceRequest();

    const streams = [
      await api.stream('POST', '/api/instances/async', { as: caller, body }),
      await api.stream('POST', '/api/instances/async', { as: caller, body }),
      await create(api, caller),
    ];

    assert.equal(new Set(streams.map(jobIdOf)).size, 3);
    for (const stream of streams) stream.close();
  });

  it('enqueues the job id that a process stored before it died', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const chosen = newId();
    await new IdempotencyStore(api.context.redis.store, api.context.sealer, { keysPerCaller: 0 }).reserve(
      requestOf(api, caller, '/api/instances/async'),
      chosen,
      { ttlMs: 60_000, leaseMs: 0 },
    );

    const stream = await create(api, caller);

    assert.equal(jobIdOf(stream), chosen);
    assert.deepEqual(await jobsQueued(api), [chosen]);
    stream.close();
  });

  it('expires with the record of its job', async () => {
    const api = await suite.start({ settings: { jobs: { keep_seconds: 300 } } });
    const caller = suite.cloud.validCaller(newCaller());
    (await create(api, caller)).close();

    const request = requestOf(api, caller, '/api/instances/async');
    const left = await api.context.redis.store.ttl(`{idempotency:${request.caller}}:${request.digest}`);
    assert.ok(left > 280 && left <= 300, String(left));
  });
});

describe('POST /api/instances with an Idempotency-Key', () => {
  const suite = apiSuite();

  /** Ends the job like a worker that has created the recorded server. */
  async function complete(api: TestApi, jobId: string): Promise<string> {
    const { id } = fixtureBody<{ id: string }>('compute/server', 'server');
    const log = await claimJob(api, jobId);
    await log.publish(instanceMessage('SERVER_CREATING', 95), { resourceId: id });
    await log.end(completed, { status: 'completed' });
    return id;
  }

  it('waits for the job of the first request, and replays its response', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    const first = api.post<{ id: string }>('/api/instances', keyed(caller));
    const jobId = await queuedJob(api, 'provisioning');
    const follows = whenFollowing(other, jobId);
    const second = other.post<{ id: string }>('/api/instances', keyed(caller));
    await follows;
    suite.cloud.reply('compute/server', { times: 2 }).reply('compute/flavors').reply('image/images');
    const instanceId = await complete(api, jobId);

    const answers = [await first, await second];
    const afterwards = await api.post<{ id: string }>('/api/instances', keyed(caller));

    for (const answer of [...answers, afterwards]) {
      assert.equal(answer.status, 201);
      assert.equal(answer.body.id, instanceId);
      assert.equal(answer.text, answers[0]?.text);
    }
    assert.deepEqual(
      [...answers, afterwards].map(({ headers }) => headers['idempotent-replayed']),
      [undefined, 'true', 'true'],
    );
    assert.deepEqual(await jobsQueued(api), [jobId]);
  });

  it('joins the job again after a 504 with its id', async () => {
    const api = await suite.start({ settings: { time_limits: { sync_create_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const tooLate = await api.post<ErrorBody>('/api/instances', keyed(caller));
    const jobId = String(tooLate.body.job_id);
    suite.cloud.reply('compute/server').reply('compute/flavors').reply('image/images');
    await complete(api, jobId);

    const again = await api.post<{ id: string }>('/api/instances', keyed(caller));

    assert.equal(tooLate.status, 504);
    assert.equal(again.status, 201);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.deepEqual(await jobsQueued(api), [jobId]);
  });

  it('returns the failure of the job again', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const asked = api.post<ErrorBody>('/api/instances', keyed(caller));
    const jobId = await queuedJob(api, 'provisioning');
    const errors = [{ field: 'body.network_id', message: 'is required' }];
    await fail(api, jobId, { status: 400, code: 'network_required', detail: 'There are several.', errors });

    const first = await asked;
    const again = await api.post<ErrorBody>('/api/instances', keyed(caller));

    assert.equal(again.status, 400);
    assert.deepEqual(again.body.errors, errors);
    assert.deepEqual({ ...again.body, request_id: '' }, { ...first.body, request_id: '' });
    assert.equal(again.body.job_id, jobId);
  });

  it('does not store the failure of one request while the job continues', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const first = api.post<{ id: string }>('/api/instances', keyed(caller));
    const jobId = await queuedJob(api, 'provisioning');
    const { subscribe } = api.context.relay;
    api.context.relay.subscribe = () => {
      api.context.relay.subscribe = subscribe;
      throw notFound('Something of this request alone.');
    };
    const troubled = await api.post('/api/instances', keyed(caller));
    suite.cloud.reply('compute/server').reply('compute/flavors').reply('image/images');
    await complete(api, jobId);
    const made = await first;

    const again = await api.post('/api/instances', keyed(caller));

    assert.deepEqual([troubled.status, made.status, again.status], [404, 201, 201]);
    assert.equal(again.text, made.text);
  });

  it('starts a new job after the first has failed and rolled back', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const asked = api.post<ErrorBody>('/api/instances', keyed(caller));
    const jobId = await queuedJob(api, 'provisioning');
    await fail(api, jobId, { status: 502, code: 'upstream_error', detail: 'It failed.' });
    const first = await asked;
    // Simulates a worker that takes the job.
    await api.context.redis.queue.zrem(`{${api.keyPrefix}provisioning}:provisioning:prioritized`, jobId);

    const retried = api.post<{ id: string }>('/api/instances', keyed(caller));
    const nextJobId = await queuedJob(api, 'provisioning');
    suite.cloud.reply('compute/server').reply('compute/flavors').reply('image/images');
    await complete(api, nextJobId);

    assert.equal(first.status, 502);
    assert.notEqual(nextJobId, jobId);
    assert.equal((await retried).status, 201);
    assert.equal((await retried).headers['idempotent-replayed'], undefined);
  });

  it('keeps a job that created its instance, even if the read failed', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const asked = api.post<ErrorBody>('/api/instances', keyed(caller));
    const jobId = await queuedJob(api, 'provisioning');
    suite.cloud.reply('compute/server', { status: 500, body: {} }).reply('compute/flavors');
    suite.cloud.reply('image/images');
    await complete(api, jobId);
    const unread = await asked;
    suite.cloud.reply('compute/server');

    const again = await api.post<{ id: string }>('/api/instances', keyed(caller));

    assert.deepEqual([unread.status, again.status], [502, 201]);
    assert.deepEqual(await jobsQueued(api), [jobId]);
  });
});

function create(api: TestApi, caller: TestCaller): Promise<EventStream> {
  return api.stream('POST', '/api/instances/async', keyed(caller));
}

function jobIdOf(stream: EventStream | undefined): string {
  return stream?.headers.get('x-job-id') ?? '';
}

/** The ids of the jobs in the queue of creations. */
function jobsQueued({ context, keyPrefix }: TestApi): Promise<string[]> {
  return context.redis.queue.zrange(`{${keyPrefix}provisioning}:provisioning:prioritized`, 0, '-1');
}

/** Resolves once the process follows the job. */
function whenFollowing({ context: { relay } }: TestApi, jobId: string): Promise<void> {
  const { subscribe } = relay;
  return new Promise((resolve) => {
    relay.subscribe = (id, ...rest) => {
      if (id === jobId) resolve();
      return subscribe.call(relay, id, ...rest);
    };
  });
}

async function fail(api: TestApi, jobId: string, failure: JobFailure): Promise<void> {
  const log = await claimJob(api, jobId);
  const message = { ...instanceMessage('FAILED', -1, failure.detail), error: failure.detail };
  await log.end(message, { status: 'failed', failure });
}

/** The request of `keyed`, in the format of the store. */
function requestOf({ context }: TestApi, { userId, projectId }: TestCaller, path: string) {
  const scope = { key: 'key-1', caller: `user:${userId}`, projectId, path, params: {} };
  return keyedRequest(context.sealer, scope, { query: undefined, body: instanceRequest() });
}
