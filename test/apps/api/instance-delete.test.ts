import assert from 'node:assert/strict';
import { type InstanceDeletion, isCancelRequested, readQueued, readResumeCount } from '@gateway/jobs';
import type { ErrorBody } from '../../support/api/client.ts';
import { instanceRequest, newCaller } from '../../support/api/factories.ts';
import { claimJob, instanceMessage, queuedJob, runJob } from '../../support/api/jobs.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

interface Job {
  type: string;
  status: string;
  resource_id: string;
}

describe('DELETE /api/instances/{instance_id}', () => {
  const suite = apiSuite();
  const server = fixtureBody<{ id: string; metadata: Record<string, string> }>('compute/server', 'server');
  const path = `/api/instances/${server.id}`;

  it('is 204 after the service accepted it, while its job cleans up', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/server');
    const requestedAt = api.clock.now();
    const answered = api.request('DELETE', path, { as: caller });
    const jobId = await queuedJob(api, 'cleanup');
    const queued = await readQueued(api.context.redis.store, jobId);
    const log = await claimJob(api, jobId);
    await log.publish(instanceMessage('SERVER_DELETING', 10));

    await log.publish(instanceMessage('RESOURCES_DELETING', 60));

    const answer = await answered;
    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
    const { body } = await api.get<Job>(`/api/jobs/${jobId}`, { as: caller });
    assert.deepEqual([body.type, body.status, body.resource_id], ['instance.delete', 'running', server.id]);
    const { server: read } = (queued?.payload ?? {}) as InstanceDeletion;
    const { readAt } = read;
    assert.ok(readAt >= requestedAt && readAt <= api.clock.now(), 'the job knows when the server was read');
  });

  it('can be cancelled before its job has begun, and not later', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/server');
    const answered = api.request('DELETE', path, { as: caller });
    const jobId = await queuedJob(api, 'cleanup');
    const cancel = () => api.post<ErrorBody>(`/api/jobs/${jobId}/cancel`, { as: caller });

    const before = await cancel();
    const log = await claimJob(api, jobId);
    const later = await cancel();

    assert.equal(before.status, 202);
    assert.deepEqual([later.status, later.body.code], [409, 'conflict']);
    await log.publish(instanceMessage('RESOURCES_DELETING', 60));
    await answered;
  });

  it("is 404 for another project's instance, even for an administrator", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'], projectId: 'another-project' }));
    suite.cloud.reply('compute/flavors').reply('compute/server').reply('compute/server');
    await api.get('/api/flavors', { as: caller });

    const deleted = await api.request('DELETE', path, { as: caller });
    const read = await api.get<ErrorBody>(path, { as: caller });

    assert.deepEqual([deleted.status, read.status], [404, 404]);
  });

  it('drops the cached list that contains the instance', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('compute/servers')
      .reply('block-storage/volumes')
      .reply('compute/flavors')
      .reply('image/images')
      .reply('compute/server');
    await api.get('/api/instances', { as: caller });
    const answered = api.request('DELETE', path, { as: caller });
    const log = await claimJob(api, await queuedJob(api, 'cleanup'));
    await log.publish(instanceMessage('RESOURCES_DELETING', 60));
    await answered;
    suite.cloud.reply('compute/servers', { body: { servers: [] } }).reply('block-storage/volumes');

    const list = await api.get<unknown[]>('/api/instances', { as: caller });

    assert.deepEqual(list.body, []);
  });

  it("returns the service's reason for refusing the delete", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/server');
    const answered = api.request<ErrorBody>('DELETE', path, { as: caller });
    const log = await claimJob(api, await queuedJob(api, 'cleanup'));
    const upstream = { service: 'compute', status: 409, request_id: 'req-1' };

    await log.end(instanceMessage('FAILED', -1), {
      status: 'failed',
      failure: { status: 409, code: 'conflict', detail: 'The instance is locked.', upstream },
    });

    const { status, body } = await answered;
    assert.equal(status, 409);
    assert.deepEqual([body.code, body.detail], ['conflict', 'The instance is locked.']);
    assert.deepEqual(body.upstream, upstream);
  });

  it('is 504 with the job id after a timeout; the job continues', async () => {
    const api = await suite.start({ settings: { time_limits: { job_accept_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/server');

    const answer = await api.request<ErrorBody>('DELETE', path, { as: caller });

    assert.equal(answer.status, 504);
    assert.equal(answer.body.job_id, await queuedJob(api, 'cleanup'));
  });

  it('says what its job waits for, and joins it when repeated', async () => {
    const api = await suite.start({ settings: { time_limits: { job_accept_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/server').reply('compute/server');
    const answered = api.request<ErrorBody>('DELETE', path, { as: caller });
    const jobId = await queuedJob(api, 'cleanup');
    const log = await claimJob(api, jobId);
    const message = 'The deletion waits for the block storage service.';
    await log.publish({ ...instanceMessage('SERVER_DELETING', 0), message });

    const first = await answered;
    const second = await api.request<ErrorBody>('DELETE', path, { as: caller });

    for (const { body, status } of [first, second]) {
      assert.deepEqual([status, body.detail], [504, `${message} The job continues.`]);
      assert.equal(body.job_id, jobId);
    }
    const { body } = await api.get<{ items: { message: string }[] }>('/api/jobs', { as: caller });
    assert.deepEqual(
      body.items.map((job) => job.message),
      [message],
    );
  });

  it('is 404 and enqueues no job for an unknown server', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { path: absent } = fixture('compute/server-not-found').request;
    suite.cloud.reply('compute/server-not-found');

    const answer = await api.request('DELETE', `/api${absent.replace('/v2.1/servers', '/instances')}`, {
      as: caller,
    });

    assert.equal(answer.status, 404);
    assert.equal((await api.context.redis.queue.keys(`*${api.keyPrefix}*cleanup:prioritized`)).length, 0);
  });

  it('cancels the creation of a server that is still being created', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    const jobId = String(stream.headers.get('x-job-id'));
    const log = await claimJob(api, jobId);
    await log.publish(instanceMessage('SERVER_CREATING', 95), { resourceId: server.id });
    stream.close();
    suite.cloud.reply('compute/server', {
      body: { server: { ...server, metadata: { gateway_job_id: jobId } } },
    });

    const answer = await api.request('DELETE', path, { as: caller });

    assert.equal(answer.status, 204);
    assert.equal(await api.context.redis.store.hget(`{jobs}:job:${jobId}`, 'cancelRequested'), '1');
    assert.equal((await api.context.redis.queue.keys(`*${api.keyPrefix}*cleanup:prioritized`)).length, 0);
  });

  it('makes a creation that waits for a retry roll back at once', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { id, log } = await runJob(api, caller);
    await log.publish(instanceMessage('SERVER_CREATING', 95), { resourceId: server.id });
    suite.cloud.reply('compute/server', {
      body: { server: { ...server, metadata: { gateway_job_id: id } } },
    });

    await api.request('DELETE', path, { as: caller });

    assert.equal(await readResumeCount(api.context.redis.store, id), 1);
  });

  it('cancels a creation that has not found its server, and deletes that', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { id, log } = await runJob(api, caller);
    await log.publish(instanceMessage('SERVER_CREATING', 95));
    suite.cloud.reply('compute/server', {
      body: { server: { ...server, metadata: { gateway_job_id: id } } },
    });

    const answered = api.request('DELETE', path, { as: caller });
    const deletion = await claimJob(api, await queuedJob(api, 'cleanup'));
    await deletion.publish(instanceMessage('RESOURCES_DELETING', 60));

    assert.equal((await answered).status, 204);
    assert.equal(await isCancelRequested(api.context.redis.store, id), true);
  });

  it('deletes an instance whose metadata contains an invalid job id', async () => {
    const api = await suite.start({ settings: { time_limits: { job_accept_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    await runJob(api, caller);
    suite.cloud.reply('compute/server', {
      body: { server: { ...server, metadata: { gateway_job_id: 'feed' } } },
    });

    const answer = await api.request('DELETE', path, { as: caller });

    assert.equal(answer.status, 504);
    assert.ok(await queuedJob(api, 'cleanup'));
  });

  it("ignores a creation job that only the server's metadata contains", async () => {
    const api = await suite.start({ settings: { time_limits: { job_accept_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    const jobId = String(stream.headers.get('x-job-id'));
    stream.close();
    suite.cloud.reply('compute/server', {
      body: { server: { ...server, metadata: { gateway_job_id: jobId } } },
    });

    await api.request('DELETE', path, { as: caller });

    assert.equal(await api.context.redis.store.hget(`{jobs}:job:${jobId}`, 'cancelRequested'), '');
    assert.ok(await queuedJob(api, 'cleanup'));
  });
});
