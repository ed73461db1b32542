import assert from 'node:assert/strict';
import { answers, VOLUME_ID, volumeOf } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers } from '../../support/api/compute.ts';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, completed, instanceMessage, runJob } from '../../support/api/jobs.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

interface Entry {
  id: string;
  timestamp: string;
  user_id: string;
  user_name: string | null;
  method: string | null;
  route: string | null;
  status: number | null;
  outcome: string;
  code: string | null;
  error: string | null;
  resource_ids: string[];
  resource_names: (string | null)[];
  resource_name: string | null;
  job_id: string | null;
  job_type: string | null;
  ended_at: string | null;
}

interface Page {
  items: Entry[];
  next_marker: string | null;
  count: number;
}

const HISTORY = '/api/history';
const LIMITS = { keepSeconds: 3600, maxRecords: 100 };

describe('GET /api/history', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const redis = killableRedis();

  const read = async (api: TestApi, as: TestCaller, query = '') =>
    (await api.get<Page>(`${HISTORY}${query}`, { as })).body.items;

  /** The entries, once there are so many. */
  const entriesOf = (api: TestApi, as: TestCaller, count: number, query = '') =>
    eventually(async () => {
      const items = await read(api, as, query);
      return items.length >= count ? items : undefined;
    });

  async function deleteKeypair(api: TestApi, as: TestCaller, name: string, status: number): Promise<void> {
    suite.cloud.reply('compute/keypairs', {
      method: 'DELETE',
      path: `/v2.1/os-keypairs/${name}`,
      status,
      body: status === 404 ? { itemNotFound: { code: 404, message: 'No such key pair.' } } : '',
    });
    await api.request('DELETE', `/api/keypairs/${name}`, { as });
  }

  async function deleteGroup(api: TestApi, as: TestCaller, id: string, status: number): Promise<void> {
    const project_id = status === 404 ? 'another' : as.projectId;
    computeAnswers(suite.cloud, `GET /os-server-groups/${id}`, {
      server_group: { id, name: id, policy: 'affinity', members: [], project_id },
    });
    if (status !== 404) computeAnswers(suite.cloud, `DELETE /os-server-groups/${id}`, '', { status });
    await api.request('DELETE', `/api/server-groups/${id}`, { as });
  }

  it('has what members did and what was refused, newest first', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    await deleteKeypair(api, caller, 'first', 202);
    await entriesOf(api, caller, 1);
    await deleteKeypair(api, caller, 'second', 404);
    assert.equal((await api.post('/api/keypairs', { as: caller, body: {} })).status, 400);

    const entries = await entriesOf(api, caller, 2);

    const outline = ({ method, route, status, outcome, code, resource_ids, job_id }: Entry) => ({
      what: `${method} ${route}`,
      ended: [status, outcome, code],
      resource_ids,
      job_id,
    });
    const what = 'DELETE /api/keypairs/{keypair_name}';
    assert.deepEqual(entries.map(outline), [
      { what, ended: [404, 'failed', 'not_found'], resource_ids: ['second'], job_id: null },
      { what, ended: [204, 'completed', null], resource_ids: ['first'], job_id: null },
    ]);
    assert.deepEqual(
      entries.map(({ user_id, user_name }) => [user_id, user_name]),
      entries.map(() => [caller.userId, caller.userName]),
    );
    assert.deepEqual(
      entries.map(({ resource_names }) => resource_names),
      [['second'], ['first']],
    );
  });

  it('has a job and its request as one entry', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { id } = await runJob(api, caller);
    const [running] = await entriesOf(api, caller, 1);
    assert.deepEqual(
      [running?.id, running?.outcome, running?.job_id, running?.ended_at],
      [id, 'accepted', id, null],
    );

    const failing = await runJob(api, caller);
    const ending = await claimWithHistory(api, id);
    await ending.end(completed, { status: 'completed', resourceId: 'server-1' });
    const failure = { status: 409, code: 'quota_exceeded', detail: 'The quota is exceeded.' };
    const failed = await claimWithHistory(api, failing.id);
    await failed.end(instanceMessage('FAILED', -1), { status: 'failed', failure });

    const entries = await entriesOf(api, caller, 2);
    assert.deepEqual(
      entries.map(({ job_id, method, outcome, code, error }) => ({ job_id, method, outcome, code, error })),
      [
        { job_id: failing.id, method: 'POST', outcome: 'failed', code: failure.code, error: failure.detail },
        { job_id: id, method: 'POST', outcome: 'completed', code: null, error: null },
      ],
    );
    const [ofServer] = await read(api, caller, '?resource_id=server-1');
    assert.deepEqual(
      [ofServer?.job_id, ofServer?.job_type, ofServer?.resource_names, ofServer?.resource_ids],
      [id, 'instance.create', ['web-1'], ['server-1']],
    );
    assert.ok(ofServer?.ended_at);
  });

  it('names resources as they are now, or as they were made', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'POST /volumes', { volume: volumeOf(caller, { name: 'data' }) }, { status: 202 });
    await api.post('/api/volumes', { as: caller, body: { name: 'data', size_gb: 1 } });
    await entriesOf(api, caller, 1);
    const image = fixtureBody<{ id: string; name: string }>('image/image');
    const path = `/v2/images/${image.id}`;
    const owned = { ...image, owner: caller.projectId };
    suite.cloud
      .reply('image/image', { path, body: owned })
      .reply('image/image', { method: 'DELETE', path, status: 403, body: { message: 'protected' } })
      .reply('image/images', { body: { images: [owned] } });
    await api.request('DELETE', `/api/images/${image.id}`, { as: caller });

    const entries = await entriesOf(api, caller, 2);

    assert.deepEqual(
      entries.map(({ route, resource_names }) => [route, resource_names]),
      [
        ['/api/images/{image_id}', [image.name]],
        ['/api/volumes', ['data']],
      ],
    );
  });

  it('names what is gone as an earlier entry has named it', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'POST /volumes', { volume: volumeOf(caller, { name: 'data' }) }, { status: 202 });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, { name: 'data' }) });
    answers(suite.cloud, `DELETE /volumes/${VOLUME_ID}`, '', { status: 202 });
    await api.post('/api/volumes', { as: caller, body: { name: 'data', size_gb: 1 } });
    await entriesOf(api, caller, 1);
    await api.request('DELETE', `/api/volumes/${VOLUME_ID}`, { as: caller });
    await entriesOf(api, caller, 2);
    const admin = suite.cloud.validCaller(inOtherProject(newCaller({ roles: ['admin'] })));

    const outline = ({ method, status, resource_names }: Entry) => [method, status, resource_names];
    for (const [as, query] of [
      [caller, '?limit=1'],
      [admin, `?limit=1&project_id=${caller.projectId}`],
    ] as const) {
      assert.deepEqual((await read(api, as, query)).map(outline), [['DELETE', 204, ['data']]]);
    }
  });

  it('is filtered, and paged without gaps', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const other = suite.cloud.validCaller(newCaller({ userId: 'somebody-else' }));
    for (const [index, as] of [caller, other, caller, caller].entries()) {
      await deleteGroup(api, as, `group-${index}`, index === 2 ? 404 : 204);
      await entriesOf(api, caller, index + 1);
    }
    const groupsIn = async (query: string) =>
      (await read(api, caller, query)).map((item) => item.resource_ids[0]);

    assert.deepEqual(await groupsIn('?user_id=somebody-else'), ['group-1']);
    assert.deepEqual(await groupsIn('?resource_id=group-3'), ['group-3']);
    assert.deepEqual(await groupsIn('?outcome=failed'), ['group-2']);
    assert.deepEqual(await groupsIn('?job_id=job-1'), []);
    const first = (await api.get<Page>(`${HISTORY}?limit=1&outcome=completed`, { as: caller })).body;
    const rest = await groupsIn(`?outcome=completed&marker=${first.next_marker}`);
    assert.deepEqual([first.items[0]?.resource_ids[0], ...rest], ['group-3', 'group-1', 'group-0']);
    const unknown = await api.get<ErrorBody>(`${HISTORY}?marker=nobody`, { as: caller });
    assert.deepEqual([unknown.status, unknown.body.errors?.[0]?.field], [400, 'query.marker']);
  });

  it('has key pairs only for their user and administrators', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const colleague = suite.cloud.validCaller(newCaller({ userId: 'somebody-else' }));
    const admin = suite.cloud.validCaller(newCaller({ userId: 'root', roles: ['admin'] }));
    await deleteKeypair(api, caller, 'mine', 202);
    await entriesOf(api, caller, 1);
    await deleteGroup(api, colleague, 'mine', 204);
    const number = async (as: TestCaller, query = '') => (await read(api, as, query)).length;
    await entriesOf(api, admin, 2);

    assert.deepEqual([await number(caller), await number(admin)], [2, 2]);
    assert.equal(await number(colleague), 1);
    for (const query of [
      '?resource_id=mine',
      `?user_id=${caller.userId}`,
      '?limit=1',
      '?outcome=completed',
    ]) {
      const text = JSON.stringify(await read(api, colleague, query));
      assert.doesNotMatch(text, /keypair/, query);
    }
    assert.deepEqual(
      (await read(api, colleague)).map(({ resource_names }) => resource_names),
      [[null]],
    );
  });

  it('keeps what was done however much is refused', async () => {
    const api = await suite.start({ settings: { history: { max_records: 4 } } });
    const caller = suite.cloud.validCaller(newCaller());
    await deleteGroup(api, caller, 'done', 204);
    await entriesOf(api, caller, 1);
    const reader = suite.cloud.validCaller(newCaller({ userId: 'somebody-else', roles: ['reader'] }));

    for (let count = 0; count < 6; count += 1) {
      await deleteGroup(api, reader, `refused-${count}`, 404);
      await entriesOf(api, caller, 1, `?resource_id=refused-${count}`);
    }

    assert.deepEqual(
      (await read(api, caller)).map(({ resource_ids }) => resource_ids[0]),
      ['refused-5', 'done'],
    );
  });

  it('of another project is for administrators', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    await deleteKeypair(api, caller, 'mine', 202);
    await entriesOf(api, caller, 1);
    const stranger = suite.cloud.validCaller(inOtherProject(newCaller()));
    const admin = suite.cloud.validCaller(inOtherProject(newCaller({ roles: ['admin'] })));
    const query = `?project_id=${caller.projectId}`;

    assert.deepEqual(await read(api, stranger), []);
    assert.equal((await api.get(`${HISTORY}${query}`, { as: stranger })).status, 403);
    assert.deepEqual(await read(api, admin), []);
    assert.deepEqual((await read(api, admin, query)).length, 1);
    assert.equal((await read(api, caller, query)).length, 1, 'the own project may be named');
  });

  it('has what administrators change in a project that they name', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const admin = suite.cloud.validCaller(inOtherProject(newCaller({ roles: ['admin'], userId: 'root' })));
    await api.request('DELETE', `/api/admin/gpu-quotas/${caller.projectId}/none`, { as: admin });

    const [entry] = await entriesOf(api, caller, 1);

    assert.deepEqual([entry?.user_id, entry?.status], ['root', 404]);
    assert.deepEqual(await read(api, admin), []);
  });

  it('has no entries that are older than the configured time', async () => {
    const api = await suite.start({ settings: { history: { keep_seconds: 3600 } } });
    const caller = suite.cloud.validCaller(newCaller());
    await deleteKeypair(api, caller, 'old', 202);
    await entriesOf(api, caller, 1);

    api.clock.advance(3660);

    assert.deepEqual(await read(api, suite.cloud.validCaller(newCaller())), []);
  });

  it('does not affect writes while the store is unavailable', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    await redis.killAndWait(api);
    const caller = newCaller();
    suite.cloud.acceptsToken(caller);
    suite.cloud.reply('compute/keypairs', {
      method: 'DELETE',
      path: '/v2.1/os-keypairs/mine',
      status: 202,
      body: '',
    });

    const answer = await api.request('DELETE', '/api/keypairs/mine', { as: caller });

    assert.equal(answer.status, 204, answer.text);
    await eventually(async () => api.log.withMessage('A request is missing in the history').length === 1);
  });
});

const claimWithHistory = (api: TestApi, jobId: string) => claimJob(api, jobId, { history: LIMITS });
