import assert from 'node:assert/strict';
import { formatStored, storedForms } from '@gateway/core';
import { jobKeys, readLastMessage, registerSlots } from '@gateway/jobs';
import { RedisJournal } from '../../../apps/worker/src/saga/index.ts';
import type { ApiResponse, ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, completed, instanceMessage } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

interface Job {
  id: string;
  type: string;
  status: string;
  estimated_progress: number | null;
  estimated_end_at: string | null;
}

interface JobPage {
  items: Job[];
  next_marker: string | null;
  count: number;
}

describe('GET /api/jobs', () => {
  const suite = apiSuite();
  const noLimits = {
    rate_limits: { instance_create: 0 },
    jobs: { project_waiting_limit: 0 },
  };

  it("lists the project's jobs, newest first, each like by its id", async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const ids = await startJobs(api, caller, 3);
    const log = await claimJob(api, ids[0] ?? '');
    await log.publish(instanceMessage('SERVER_CREATING', 95));

    const { body } = await list(api, caller);

    assert.deepEqual(idsOf(body), ids.toReversed());
    assert.deepEqual([body.next_marker, body.count], [null, 3]);
    for (const item of body.items) {
      assert.deepEqual(item, (await api.get(`/api/jobs/${item.id}`, { as: caller })).body);
    }
  });

  it('estimates when queued jobs end, by what waits before them', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const { store } = api.context.redis;
    await startJobs(api, caller, 2);
    const unknown = (await list(api, caller)).body.items;
    await registerSlots(store, 'w1', new Map([['provisioning', 1]]), 3_600_000);
    const durations = formatStored(storedForms.jobDurations, { steps: [['A', 60_000]], heldMs: 60_000 });
    await store.rpush(jobKeys.durations('instance.create'), durations);

    const { items } = (await list(api, caller)).body;

    assert.deepEqual(
      unknown.map((job) => [job.estimated_progress, job.estimated_end_at]),
      [
        [0, null],
        [0, null],
      ],
    );
    const [second = 0, first = 0] = items.map((job) => Date.parse(job.estimated_end_at ?? ''));
    const ahead = first - api.clock.now();
    assert.ok(ahead > 55_000 && ahead <= 60_000, `${ahead} ms`);
    assert.equal(second - first, 60_000);
  });

  it('is an empty page without jobs', async () => {
    const api = await suite.start();

    const { body } = await list(api, suite.cloud.validCaller(newCaller()));

    assert.deepEqual(body, { items: [], next_marker: null, count: 0 });
  });

  it('is paged without gaps or duplicates, even while jobs are added', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const ids = (await startJobs(api, caller, 7)).toReversed();

    const pages = [(await list(api, caller, '?limit=3')).body];
    await startJobs(api, caller, 2);
    for (let marker = pages[0]?.next_marker; marker; marker = pages.at(-1)?.next_marker) {
      pages.push((await list(api, caller, `?limit=3&marker=${marker}`)).body);
    }

    assert.deepEqual(pages.map(idsOf), [ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
    assert.deepEqual(
      pages.map(({ next_marker, count }) => [next_marker, count]),
      [
        [ids[2], 3],
        [ids[5], 3],
        [null, 1],
      ],
    );
  });

  it('has no next page after a full last page', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const [first = ''] = await startJobs(api, caller, 4);

    const page = (await list(api, caller, '?limit=4')).body;
    const behind = (await list(api, caller, `?marker=${first}`)).body;

    assert.deepEqual([page.count, page.next_marker], [4, null]);
    assert.deepEqual([behind.count, behind.next_marker], [0, null]);
  });

  it('has twenty jobs per page by default, and a hundred at most', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    await startJobs(api, caller, 21);

    assert.equal((await list(api, caller)).body.count, 20);
    assert.equal((await list(api, caller, '?limit=100')).body.count, 21);
    for (const limit of ['0', '101', '-1', '1.5', 'many', '']) {
      const answer = await api.get<ErrorBody>(`/api/jobs?limit=${limit}`, { as: caller });
      assert.equal(answer.status, 400, limit);
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['query.limit'],
      );
    }
  });

  it("is 400 for a marker outside the project's jobs", async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const stranger = suite.cloud.validCaller(inOtherProject(newCaller()));
    const [foreign = ''] = await startJobs(api, stranger, 1);

    for (const marker of [foreign, '00000000-0000-4000-8000-000000000000', '..', '']) {
      const answer = await api.get<ErrorBody>(`/api/jobs?marker=${marker}`, { as: caller });
      assert.equal(answer.status, 400, marker);
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['query.marker'],
      );
    }
  });

  it("shows only jobs of the caller's project", async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const stranger = suite.cloud.validCaller(inOtherProject(newCaller()));
    const own = await startJobs(api, caller, 1);
    await startJobs(api, stranger, 1);

    assert.deepEqual(idsOf((await list(api, caller)).body), own);
  });

  it("omits the gateway's internal jobs", async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller);
    await api.post('/api/auth/login', { body: { username: 'demo', password: 'demo-secret' } });

    assert.equal((await list(api, caller)).body.count, 0);
    const { queue } = api.context.redis;
    assert.equal(
      await queue.zcard(`{${api.keyPrefix}maintenance}:maintenance:prioritized`),
      1,
      'there is such work',
    );
  });

  it('filters by type or status across pages', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const ids = await startJobs(api, caller, 130);
    const ended = [ids[0] ?? '', ids[64] ?? '', ids[127] ?? ''];
    for (const id of ended) await (await claimJob(api, id)).end(completed, { status: 'completed' });

    const first = (await list(api, caller, '?status=completed&limit=2')).body;
    const second = (await list(api, caller, `?status=completed&limit=2&marker=${first.next_marker}`)).body;
    const deletions = (await list(api, caller, '?type=instance.delete')).body;
    const creations = (await list(api, caller, '?type=instance.create&status=queued&limit=100')).body;

    assert.deepEqual(idsOf(first), [ended[2], ended[1]]);
    assert.deepEqual([idsOf(second), second.next_marker], [[ended[0]], null]);
    assert.equal(deletions.count, 0);
    assert.equal(creations.count, 100);
    assert.ok(creations.items.every(({ status }) => status === 'queued'));
  });

  it('has only the jobs of a resource, a state or a user', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller({ userName: 'ada' }));
    const other = suite.cloud.validCaller({ ...newCaller(), projectId: caller.projectId, userId: 'other' });
    const stranger = suite.cloud.validCaller(inOtherProject(newCaller()));
    const [first = '', second = ''] = await startJobs(api, caller, 2);
    const [foreign = ''] = await startJobs(api, other, 1);
    const log = await claimJob(api, first);
    await log.record({ resourceId: 'server-1' });
    await (await claimJob(api, second)).record({ isRollingBack: true });

    const ofResource = (await list(api, caller, '?resource_id=server-1')).body;
    const rollingBack = (await list(api, caller, '?state=rolling_back')).body;

    assert.deepEqual(idsOf(ofResource), [first]);
    assert.deepEqual(idsOf(rollingBack), [second]);
    assert.equal(rollingBack.items[0]?.status, 'running');
    assert.deepEqual(idsOf((await list(api, caller, '?user_id=other')).body), [foreign]);
    assert.deepEqual(idsOf((await list(api, stranger, '?resource_id=server-1')).body), []);
    const [item] = ofResource.items as unknown as Record<string, unknown>[];
    assert.deepEqual(
      [item?.resource_type, item?.resource_name, item?.user_id, item?.user_name, item?.state],
      ['instance', instanceRequest().name, caller.userId, 'ada', 'running'],
    );
    assert.match(String(item?.started_at), /Z$/);
    assert.equal(item?.ended_at, null);
    const answer = await api.get(`/api/jobs?resource_id=server-1&marker=${second}`, { as: caller });
    assert.equal(answer.status, 400);
  });

  it('says of a job that is being undone so, and why', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const [id = ''] = await startJobs(api, caller, 1);
    const log = await claimJob(api, id);
    await log.publish(instanceMessage('SERVER_CREATING', 95, 'The server is being created.'));
    const failure = { status: 409, code: 'quota_exceeded', detail: 'The quota is used up.' };
    await new RedisJournal(api.context.redis.store, log).startRollback(failure, true);

    const { body } = await api.get<Record<string, unknown>>(`/api/jobs/${id}`, { as: caller });

    const text = 'What the job has done is being undone. The quota is used up.';
    assert.deepEqual([body.status, body.state, body.progress], ['running', 'rolling_back', 95]);
    assert.deepEqual([body.step, body.message, body.error], ['ROLLING_BACK', text, failure.detail]);
    assert.deepEqual((await list(api, caller)).body.items, [body]);
    const last = await readLastMessage(api.context.redis.store, id);
    assert.deepEqual([last?.step, last?.progress, last?.message], ['SERVER_CREATING', 95, text]);
  });

  it('has jobs of types that only a newer release knows', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const [known = '', newer = ''] = await startJobs(api, caller, 2);
    await api.context.redis.store.hset(jobKeys.record(newer), 'type', 'instance.of-tomorrow');

    const { body, status } = await list(api, caller);

    assert.deepEqual([status, idsOf(body)], [200, [newer, known]]);
    assert.equal(body.items[0]?.type, 'instance.of-tomorrow');
    assert.deepEqual((await api.get(`/api/jobs/${newer}`, { as: caller })).body, body.items[0]);
    const refused = await api.post<ErrorBody>(`/api/jobs/${newer}/cancel`, { as: caller });
    assert.deepEqual([refused.status, refused.body.code], [503, 'store_unavailable']);
  });

  it('is 400 for an unknown or internal type or status', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    for (const query of [
      'type=instance.paint',
      'type=session.prefill',
      'status=done',
      'status=',
      'state=done',
      'resource_id=..',
    ]) {
      assert.equal((await api.get(`/api/jobs?${query}`, { as: caller })).status, 400, query);
    }
  });

  it('fills pages despite expired records, which leave the index', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    const ids = (await startJobs(api, caller, 8)).toReversed();
    const gone = ids.filter((_id, index) => [0, 1, 2, 3, 5].includes(index));
    for (const id of gone) await api.context.redis.store.del(jobKeys.record(id));

    const first = (await list(api, caller, '?limit=2')).body;
    const second = (await list(api, caller, `?limit=2&marker=${first.next_marker}`)).body;

    assert.deepEqual(idsOf(first), [ids[4], ids[6]]);
    assert.deepEqual([idsOf(second), second.next_marker], [[ids[7]], null]);
    const left = await api.context.redis.store.zrevrange(jobKeys.ofProject(caller.projectId), 0, -1);
    assert.deepEqual(left, [ids[4], ids[6], ids[7]]);
  });

  it('makes the same number of Redis calls for any page size', async () => {
    const api = await suite.start({ settings: noLimits });
    const caller = suite.cloud.validCaller(newCaller());
    await startJobs(api, caller, 110);
    await list(api, caller);
    const { store } = api.context.redis;
    assert.ok('stream' in store, 'the store is a single Redis');
    const { stream } = store;
    const { write } = stream;
    const writesFor = async (query: string) => {
      let writes = 0;
      stream.write = (...sent: unknown[]) => {
        // The process says regularly that it uses the store.
        if (!String(sent[0]).includes(jobKeys.storeUses)) writes += 1;
        return (write as (...args: unknown[]) => boolean).apply(stream, sent);
      };
      await list(api, caller, query);
      stream.write = write;
      return writes;
    };

    const one = await writesFor('?limit=1');
    const hundred = await writesFor('?limit=100');

    assert.equal(hundred, one);
    assert.ok(one > 0);
  });
});

function list(api: TestApi, as: TestCaller, query = ''): Promise<ApiResponse<JobPage>> {
  return api.get<JobPage>(`/api/jobs${query}`, { as });
}

function idsOf({ items }: JobPage): string[] {
  return items.map(({ id }) => id);
}

/** Requests creations one after the other, and returns their job ids. */
async function startJobs(api: TestApi, as: TestCaller, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let started = 0; started < count; started += 1) {
    const stream = await api.stream('POST', '/api/instances/async', { as, body: instanceRequest() });
    ids.push(String(stream.headers.get('x-job-id')));
    stream.close();
    // Jobs of the same millisecond are ordered by id.
    const now = Date.now();
    while (Date.now() === now);
  }
  return ids;
}
