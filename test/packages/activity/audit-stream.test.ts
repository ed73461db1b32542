import assert from 'node:assert/strict';
import {
  ActivityReaders,
  type AuditOutbox,
  type EndedJob,
  type EndedRequest,
  openAuditStream,
} from '@gateway/activity';
import { createClosers, createLogger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { configOf } from '../../support/api/settings.ts';
import { TestClock } from '../../support/api/test-clock.ts';
import { connectRedis, testRedisUrl } from '../../support/redis/test-redis.ts';

const creation: EndedRequest = {
  kind: 'request',
  requestId: 'req-1',
  access: 'project',
  method: 'POST',
  route: '/api/volumes/:volume_id/snapshots',
  about: 'resources',
  effect: { resource: 'snapshot', as: 'created' },
  startsJob: null,
  userId: 'u1',
  userName: 'demo',
  nameHash: null,
  address: '198.51.100.7',
  projectId: 'p1',
  targetProjectId: null,
  resources: [
    { resource: 'volume', id: 'v1', name: null },
    { resource: 'snapshot', id: 's1', name: 'before' },
  ],
  status: 201,
  code: null,
  jobId: null,
  isPending: false,
  isReplay: false,
};

const refusedLogIn: EndedRequest = {
  ...creation,
  access: 'public',
  route: '/api/auth/login',
  about: 'session',
  effect: null,
  userId: null,
  userName: null,
  nameHash: 'h1',
  projectId: null,
  resources: [],
  status: 401,
};

const job: EndedJob = {
  kind: 'job',
  jobId: 'j1',
  type: 'volume.create',
  status: 'failed',
  requestId: 'req-1',
  userId: 'u1',
  userName: 'demo',
  projectId: 'p1',
  resources: [{ resource: 'volume', id: 'v1', name: 'data' }],
  code: 'quota_exceeded',
  endedAt: 1_764_400_000_000,
};

describe('the audit stream', () => {
  const log = captureLogLines();
  const logger = createLogger({ level: 'debug', format: 'json', service: 'test' }, log.stream);
  let redis: RedisConnections;
  let clock: TestClock;
  let outbox: AuditOutbox;
  let readers: ActivityReaders;
  let storeEnd: (job: EndedJob) => Promise<void>;

  beforeEach(async () => {
    const url = testRedisUrl();
    redis = await connectRedis();
    clock = new TestClock();
    const settings = { audit: { stream: { url: 'https://audit.example.org/events', max_waiting: 1000 } } };
    const config = configOf({ redisUrl: url, keyPrefix: '', settings });
    const stream = openAuditStream({ clock, closers: createClosers(), config, logger, redis });
    assert.ok(stream.outbox !== null);
    outbox = stream.outbox;
    storeEnd = stream.storeEnd;
    readers = new ActivityReaders(stream.readers, logger);
  });

  afterEach(() => redis.close());

  const events = async () => (await outbox.first(2000)).map(({ event }) => event);

  it('has a request in the form of CADF before its response', async () => {
    await readers.answering(creation);

    const [event] = await events();
    assert.match(event?.id ?? '', /^[0-9a-f-]{36}$/);
    assert.match(event?.eventTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    assert.deepEqual(event, {
      typeURI: 'http://schemas.dmtf.org/cloud/audit/1.0/event',
      eventType: 'activity',
      id: event?.id,
      eventTime: event?.eventTime,
      action: 'create',
      outcome: 'success',
      target: { typeURI: 'storage/volume/snapshot', id: 's1', name: 'before', project_id: 'p1' },
      reason: { reasonType: 'HTTP', reasonCode: '201' },
      requestPath: '/api/volumes/{volume_id}/snapshots',
      attachments: [{ typeURI: 'storage/volume', name: 'resource_id', content: 'v1' }],
      initiator: {
        typeURI: 'service/security/account/user',
        id: 'u1',
        name: 'demo',
        project_id: 'p1',
        host: { address: '198.51.100.7' },
        request_id: 'req-1',
      },
      observer: { typeURI: 'service/oss', id: 'RegionOne/gateway', name: 'gateway' },
    });
  });

  it('names what a request does by its effect', async () => {
    const on = (request: Partial<EndedRequest>) => readers.answering({ ...creation, ...request });
    const instance = {
      effect: { resource: 'instance', as: 'updated' },
      resources: [{ resource: 'instance', id: 'i1', name: null }],
    } as const;
    await on({ route: '/api/instances/:instance_id/start', ...instance });
    await on({ route: '/api/instances/:instance_id', ...instance, method: 'PATCH' });
    await on({
      route: '/api/volumes/:volume_id',
      effect: { resource: 'volume', as: 'deleting' },
      method: 'DELETE',
    });
    await on({
      route: '/api/instances/:instance_id/volumes/:volume_id',
      ...instance,
      method: 'DELETE',
    });
    const started = { effect: null, resources: [] } as const;
    await on({ route: '/api/lite/clusters/async', ...started, startsJob: 'lite.create' });
    await on({ route: '/api/lite/clusters/:cluster_id/scale', ...started, startsJob: 'lite.scale' });
    await on({ route: '/api/admin/quotas/:project_id', ...started, startsJob: 'quotas.update' });
    await on({
      route: '/api/jobs/:job_id/cancel',
      effect: null,
      resources: [{ resource: null, id: 'j1', name: null }],
    });
    await on({ route: '/api/auth/extend-session', effect: null, resources: [] });
    await on({ ...refusedLogIn, status: 200, userId: 'u1' });
    await on({ about: 'session', effect: null, route: '/api/auth/logout', resources: [] });
    await on({ route: '/api/instances', effect: { resource: 'instance', as: 'created' }, resources: [] });

    assert.deepEqual(
      (await events()).map(({ action, target }) => [action, target.typeURI, target.id]),
      [
        ['update/start', 'compute/machine', 'i1'],
        ['update', 'compute/machine', 'i1'],
        ['delete', 'storage/volume', 'v1'],
        ['update/volumes/delete', 'compute/machine', 'i1'],
        ['create', 'compute/lite_cluster', 'unknown'],
        ['update/scale', 'compute/lite_cluster', 'unknown'],
        ['update', 'data/security/project', 'unknown'],
        ['update/cancel', 'data/workload/job', 'j1'],
        ['update/extend-session', 'service/security/account/user', 'u1'],
        ['authenticate/login', 'service/security/account/user', 'u1'],
        ['revoke', 'service/security/account/user', 'u1'],
        ['create', 'compute/machine', 'unknown'],
      ],
    );
  });

  it('has a refused creation without the resource that its path names', async () => {
    const [volume] = creation.resources;
    assert.ok(volume !== undefined);
    await readers.answering({ ...creation, status: 403, resources: [volume] });

    const [event] = await events();
    assert.deepEqual([event?.action, event?.outcome], ['create', 'failure']);
    assert.deepEqual(event?.target, { typeURI: 'storage/volume/snapshot', id: 'unknown', project_id: 'p1' });
    assert.deepEqual(event?.attachments, [{ typeURI: 'storage/volume', name: 'resource_id', content: 'v1' }]);
  });

  it('marks the replay of a response', async () => {
    await readers.answering(creation);
    await readers.answering({ ...creation, isReplay: true });

    assert.deepEqual(
      (await events()).map(({ tags }) => tags),
      [undefined, ['replay']],
    );
  });

  it('leaves out what decides nothing, except attempts to log in', async () => {
    for (const request of [creation, refusedLogIn])
      for (const status of [400, 429, 403]) await readers.answering({ ...request, status });

    assert.deepEqual(
      (await events()).map(({ action, reason }) => [action, reason?.reasonCode]),
      [
        ['create', '403'],
        ['authenticate/login', '400'],
        ['authenticate/login', '429'],
        ['authenticate/login', '403'],
      ],
    );
  });

  it('has a refused log-in by the hash of its name', async () => {
    await readers.answering(refusedLogIn);

    const [event] = await events();
    assert.equal(event?.outcome, 'failure');
    assert.deepEqual([event?.initiator.id, event?.initiator.name_hash], ['unknown', 'h1']);
  });

  it('has the end of a job under the same id each time', async () => {
    await readers.answering({ ...creation, status: 202, jobId: 'j1', isPending: true });
    for (const ended of [job, job]) await storeEnd(ended);

    const [request, ...ends] = await events();
    assert.equal(request?.outcome, 'pending');
    for (const end of ends) {
      assert.deepEqual([end.id, end.action, end.outcome], ['j1', 'create', 'failure']);
      assert.equal(end.eventTime, '2025-11-29T07:06:40.000+00:00');
      assert.deepEqual(end.reason, { reasonType: 'gateway', reasonCode: 'quota_exceeded' });
    }
  });

  it('leaves out unknown callers', async () => {
    await readers.answering({ ...creation, userId: null });
    await readers.answering(creation);

    assert.equal((await outbox.state()).waiting, 1);
  });

  it('drops what is beyond its limit, and refusals beyond half', async () => {
    const refusedWrite = { ...creation, status: 403 };
    for (let count = 0; count < 255; count += 1) await readers.answering(refusedLogIn);
    for (let count = 0; count < 255; count += 1) await readers.answering(refusedWrite);
    assert.equal((await outbox.state()).waiting, 500);

    for (let count = 0; count < 510; count += 1) await readers.answering(creation);
    const { waiting, dropped } = await outbox.state();
    assert.deepEqual([waiting, dropped], [1000, 20]);
    assert.equal(log.withMessage('An audit event is not sent: too many wait for the receiver').length, 20);
  });

  it('counts what was delivered once, also if it is removed twice', async () => {
    for (let count = 0; count < 3; count += 1) await readers.answering(creation);
    const first = await outbox.first(2);
    await outbox.delivered(first);
    await outbox.delivered(first);

    const { waiting, delivered } = await outbox.state();
    assert.deepEqual([waiting, delivered], [1, 2]);
  });
});
