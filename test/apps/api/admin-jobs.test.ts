import assert from 'node:assert/strict';
import { jobKeys } from '@gateway/jobs';
import type { ApiResponse, ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, instanceMessage } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

interface AdminJob {
  id: string;
  type: string;
  status: string;
  state: string;
  message: string;
  error: string | null;
  project_id: string;
  project_name: string | null;
  hold_reason: string | null;
  held_at: string | null;
  allowed_actions: string[];
}

interface Page {
  items: AdminJob[];
  next_marker: string | null;
}

const JOBS = '/api/admin/jobs';

describe('/api/admin/jobs', () => {
  const suite = apiSuite();

  /** An administrator, and two creations in projects of their own. */
  async function prepare() {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const first = suite.cloud.validCaller(inOtherProject(newCaller()));
    const second = suite.cloud.validCaller(inOtherProject(newCaller()));
    const projects = [first, second].map(({ projectId }, n) => ({
      ...fixtureBody<object>('identity/project', 'project'),
      id: projectId,
      name: `project-${n}`,
    }));
    suite.cloud.reply('identity/projects', { body: { projects }, optional: true });
    return {
      api,
      admin,
      callers: [first, second] as const,
      ids: [await start(api, first), await start(api, second)] as const,
      read: async (query = '') => (await api.get<Page>(`${JOBS}${query}`, { as: admin })).body.items,
      act: (id: string, action: string) => api.post<AdminJob>(`${JOBS}/${id}/${action}`, { as: admin }),
    };
  }

  it('lists the jobs of all projects in pages, with names', async () => {
    const { api, admin, callers, ids, read } = await prepare();

    const items = await read();
    const first = (await api.get<Page>(`${JOBS}?limit=1`, { as: admin })).body;
    const second = (await api.get<Page>(`${JOBS}?limit=1&marker=${first.next_marker}`, { as: admin })).body;

    assert.deepEqual(
      items.map(({ id, project_id, project_name }) => [id, project_id, project_name]),
      [
        [ids[1], callers[1].projectId, 'project-1'],
        [ids[0], callers[0].projectId, 'project-0'],
      ],
    );
    assert.deepEqual([idsOf(first.items), idsOf(second.items)], [[ids[1]], [ids[0]]]);
    assert.equal(second.next_marker, null);
    const one = await api.get<AdminJob>(`${JOBS}/${ids[0]}`, { as: admin });
    assert.deepEqual(one.body, items[1]);
    const unknown = await api.get<ErrorBody>(`${JOBS}?marker=nothing`, { as: admin });
    assert.equal(unknown.status, 400);
    assert.equal((await api.get(`${JOBS}/feed`, { as: admin })).status, 404);
  });

  it('selects by state, type, project and age', async () => {
    const { api, callers, ids, read } = await prepare();
    const log = await claimJob(api, ids[0]);
    const failure = { status: 409, code: 'quota_exceeded', detail: 'The quota is used up.' };
    await log.end(instanceMessage('FAILED', -1), { status: 'failed', failure });
    await api.context.redis.store.hset(jobKeys.record(ids[1]), 'createdAt', Date.now() - 3_600_000);
    await api.context.redis.store.zadd(jobKeys.all, Date.now() - 3_600_000, ids[1]);

    const found = Object.fromEntries(
      await Promise.all(
        [
          '?state=failed',
          '?state=queued',
          '?status=running',
          '?has_ended=true',
          '?has_ended=false',
          '?type=instance.delete',
          `?project_id=${callers[1].projectId}`,
          '?min_age_seconds=1800',
          '?max_age_seconds=1800',
        ].map(async (query) => [query, idsOf(await read(query))]),
      ),
    );

    assert.deepEqual(Object.values(found), [
      [ids[0]],
      [ids[1]],
      [],
      [ids[0]],
      [ids[1]],
      [],
      [ids[1]],
      [ids[1]],
      [ids[0]],
    ]);
    const [failed] = await read('?state=failed');
    assert.deepEqual([failed?.error, failed?.allowed_actions], ['The quota is used up.', []]);
  });

  it('continues a page after a job that has ended meanwhile', async () => {
    const { api, admin, ids } = await prepare();
    await (await claimJob(api, ids[1])).end(instanceMessage('COMPLETED', 100), { status: 'completed' });

    const { body } = await api.get<Page>(`${JOBS}?state=queued&marker=${ids[1]}`, { as: admin });

    assert.deepEqual(idsOf(body.items), [ids[0]]);
  });

  it('holds a job, which its user sees, until it is released', async () => {
    const { act, api, callers, ids, read } = await prepare();
    const [id] = ids;

    const held = await act(id, 'hold');
    const seen = await api.get<AdminJob>(`/api/jobs/${id}`, { as: callers[0] });
    const listed = await read('?state=held');
    const again = (await act(id, 'hold')) as ApiResponse<unknown> as ApiResponse<ErrorBody>;
    const released = await act(id, 'release');

    assert.deepEqual([held.status, held.body.state, held.body.status], [200, 'held', 'queued']);
    assert.deepEqual(
      [held.body.hold_reason, held.body.allowed_actions],
      ['administrator', ['release', 'cancel']],
    );
    assert.match(String(held.body.held_at), /Z$/);
    assert.match(seen.body.message, /^An administrator holds the job\./);
    assert.deepEqual([seen.body.state, idsOf(listed)], ['held', [id]]);
    assert.deepEqual([again.status, again.body.detail], [409, 'The job cannot be held: it is held already.']);
    assert.deepEqual(
      [released.status, released.body.state, released.body.hold_reason],
      [200, 'queued', null],
    );
    assert.deepEqual(released.body.allowed_actions, ['hold', 'cancel']);
    assert.equal((await act(id, 'release')).status, 409);
  });

  it('cancels a job of any project, also one that is held', async () => {
    const { act, ids } = await prepare();
    await act(ids[0], 'hold');

    const answers = [await act(ids[0], 'cancel'), await act(ids[1], 'cancel')];

    for (const { body, status } of answers) assert.deepEqual([status, body.state], [202, 'queued']);
    assert.equal((await act('nothing', 'cancel')).status, 404);
  });

  it('leaves an audit record with the id of the job', async () => {
    const { act, api, ids } = await prepare();

    await act(ids[0], 'hold');

    const [record] = await eventually(async () => {
      const records = await api.context.audit.read('change', {}, 5);
      return records.length > 0 ? records : undefined;
    });
    assert.deepEqual([record?.route, record?.resource_id], [`${JOBS}/:job_id/hold`, ids[0]]);
  });
});

function idsOf(items: AdminJob[]): string[] {
  return items.map(({ id }) => id);
}

async function start(api: TestApi, as: TestCaller): Promise<string> {
  const stream = await api.stream('POST', '/api/instances/async', { as, body: instanceRequest() });
  stream.close();
  // Jobs of the same millisecond are ordered by id.
  const now = Date.now();
  while (Date.now() === now);
  return String(stream.headers.get('x-job-id'));
}
