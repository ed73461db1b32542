import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import { jobKeys, readJob, registerSlots } from '@gateway/jobs';
import type { ErrorBody } from '../../support/api/client.ts';
import { instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, instanceMessage, queuedJob } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

interface Entry extends Record<string, unknown> {
  id: string;
  type: string;
  state: string;
}

interface Entries {
  items: Entry[];
  next_marker: string | null;
  count: number;
}

interface Queue {
  name: string;
  counts: Record<string, number>;
  workers: number;
  is_paused: boolean;
}

const queued = {
  payload: {},
  credentialHandle: null,
  requestId: 'req-1',
  projectId: 'p-1',
  type: 'session.prefill',
} as const;
const QUEUES = '/api/admin/queues';
const PROVISIONING = `${QUEUES}/provisioning/entries`;
const allowed = { ops: { allow_changes: true } };

describe('/api/admin/queues', () => {
  const suite = apiSuite();

  /** An administrator, and a member whose project has a name. */
  async function prepare(settings: Record<string, Record<string, unknown>> = {}) {
    const api = await suite.start({ settings });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const member = newCaller();
    const project = {
      ...fixtureBody<object>('identity/project', 'project'),
      id: member.projectId,
      name: 'lab',
    };
    suite.cloud.reply('identity/projects', { body: { projects: [project] }, optional: true });
    const read = async <Body>(path: string): Promise<Body> => {
      const { body, status, text } = await api.get<Body>(path, { as: admin });
      assert.equal(status, 200, text);
      return body;
    };
    const readQueue = async () => {
      const queue = (await read<Queue[]>(QUEUES)).find(({ name }) => name === 'provisioning');
      assert.ok(queue);
      return queue;
    };
    return { api, admin, member, read, readQueue };
  }

  async function createInstance(api: TestApi, member: TestCaller, differences: object = {}): Promise<string> {
    const as = suite.cloud.validCaller(member);
    const body = { ...instanceRequest(), ...differences };
    const stream = await api.stream('POST', '/api/instances/async', { as, body });
    stream.close();
    return String(stream.headers.get('x-job-id'));
  }

  /** A creation that has failed. */
  async function failedJob(api: TestApi, as: TestCaller): Promise<string> {
    const id = await createInstance(api, as);
    await queuedJob(api, 'provisioning');
    const log = await claimJob(api, id);
    const failure = { status: 409, code: 'quota_exceeded', detail: 'About private-name.' };
    const message = { ...instanceMessage('FAILED', -1, 'About private-name.'), error: 'About private-name.' };
    await log.end(message, { status: 'failed', failure, leftovers: [] });
    return id;
  }

  it('shows ids and states of jobs, without texts of users', async () => {
    const { api, admin, member, read, readQueue } = await prepare();
    const id = await createInstance(api, member, { name: 'private-name', admin_pass: 'Typed-Secret-1' });
    await queuedJob(api, 'provisioning');

    const waiting = await readQueue();
    const log = await claimJob(api, id);
    await log.publish(instanceMessage('BOOT_VOLUME_CREATING', 45, 'About private-name.'));
    const entries = await read<Entries>(`${PROVISIONING}?state=waiting`);
    const entry = await read<Entry>(`${PROVISIONING}/${id}`);
    const steps = await read<{ items: { began_at: string }[] }>(`/api/admin/jobs/${id}/steps`);

    assert.equal(waiting.counts.waiting, 1);
    assert.deepEqual(
      entries.items.map(({ type, progress, step, project_id, project_name }) => [
        type,
        progress,
        step,
        project_id,
        project_name,
      ]),
      [['instance.create', 45, 'BOOT_VOLUME_CREATING', member.projectId, 'lab']],
    );
    assert.deepEqual([entries.count, entries.next_marker, entry.state], [1, null, 'waiting']);
    assert.deepEqual(entry, entries.items[0]);
    assert.doesNotMatch(
      JSON.stringify([waiting, entries, entry]),
      /private-name|Typed-Secret|gAAAAA|credential|sealed|payload/,
    );
    const [{ began_at, ...step } = { began_at: '' }] = steps.items;
    assert.equal(steps.items.length, 1);
    assert.deepEqual(step, {
      seq: 1,
      step: 'BOOT_VOLUME_CREATING',
      progress: 45,
      message: 'About private-name.',
    });
    assert.ok(Date.now() - Date.parse(began_at) < 60_000, began_at);
    const unknown = await api.get(`/api/admin/jobs/${newId()}/steps`, { as: admin });
    assert.equal(unknown.status, 404);
  });

  it('shows failed jobs with the code of their error', async () => {
    const { api, admin, member, read, readQueue } = await prepare();
    const id = await failedJob(api, member);

    const { counts } = await readQueue();
    const entries = await read<Entries>(`${PROVISIONING}?state=failed`);
    const entry = await read<Entry>(`${PROVISIONING}/${id}`);

    assert.equal(counts.failed, 1);
    assert.deepEqual(
      entries.items.map(({ error_code, error_status, state, ...shown }) => [
        shown.id,
        error_code,
        error_status,
        state,
      ]),
      [[id, 'quota_exceeded', 409, 'failed']],
    );
    assert.equal(entry.state, 'failed');
    assert.doesNotMatch(JSON.stringify([entries, entry]), /private-name/);
    const other = await api.get(`${QUEUES}/cleanup/entries/${id}`, { as: admin });
    assert.equal(other.status, 404, 'the job is of another queue');
  });

  it('lists failures of the last day with their sentences, and first boots', async () => {
    const { api, admin, member } = await prepare();
    const owner = { projectId: 'p1', jobId: newId() };
    const token = await api.context.firstBoots.issueToken(owner);
    const report = { boot: 'b', sequence: 1, stage: 'layers', result: 'failed' } as const;
    await api.context.firstBoots.accept(token, report);
    const id = await failedJob(api, member);

    const { body } = await api.get<{ items: Entry[]; total: number }>('/api/admin/failures', { as: admin });

    const shown = new Map(body.items.map((failure) => [failure.id, failure]));
    const [job, boot] = [shown.get(id), shown.get(owner.jobId)];
    assert.equal(body.total, 2);
    assert.deepEqual(
      [job?.project_id, job?.project_name, job?.reason, job?.code],
      [member.projectId, 'lab', 'About private-name.', 'quota_exceeded'],
    );
    assert.deepEqual([boot?.project_id, boot?.step, boot?.request_id], ['p1', 'layers', null]);
    assert.match(String(boot?.reason), /^The shares of the libraries could not be mounted/);
  });

  it('shows jobs of types that only a newer release knows', async () => {
    const { api, admin, member, read } = await prepare(allowed);
    const id = await createInstance(api, member);
    await queuedJob(api, 'provisioning');
    await api.context.redis.store.hset(jobKeys.record(id), 'type', 'instance.of-tomorrow');

    const waiting = await read<Entry>(`${PROVISIONING}/${id}`);
    const { status } = await api.post(`${PROVISIONING}/${id}/run`, { as: admin });
    await api.context.redis.store.hset(jobKeys.record(id), 'status', 'failed');
    const failed = await read<Entry>(`${PROVISIONING}/${id}`);

    assert.deepEqual([waiting.state, status, failed.id], ['waiting', 204, id]);
  });

  it('no longer shows failed jobs whose records have expired', async () => {
    const { api, member, read, readQueue } = await prepare();
    const id = await failedJob(api, member);
    await api.context.redis.store.del(`{jobs}:job:${id}`);

    const first = await read<Entries>(`${PROVISIONING}?state=failed`);
    const second = await read<Entries>(`${PROVISIONING}?state=failed`);

    assert.deepEqual([first.items, second.items, (await readQueue()).counts.failed], [[], [], 0]);
  });

  it('shows entries in pages', async () => {
    const { api, read } = await prepare();
    const ids = Array.from({ length: 30 }, () => newId());
    for (const id of ids) await api.context.queues.add(id, queued, { delayMs: 3_600_000 });

    const delayed = `${QUEUES}/maintenance/entries?state=delayed`;
    const first = await read<Entries>(delayed);
    const second = await read<Entries>(`${delayed}&marker=${first.next_marker}`);
    const beyond = await read<Entries>(`${delayed}&marker=40`);

    assert.deepEqual([first.next_marker, first.count], ['20', 20]);
    assert.deepEqual([second.next_marker, second.count, beyond.items], [null, 10, []]);
    const shown = [...first.items, ...second.items].map(({ id }) => id);
    assert.deepEqual(shown.toSorted(), ids.toSorted());
  });

  it('refuses an unknown queue, state, page or entry', async () => {
    const { api, admin } = await prepare(allowed);
    const id = newId();
    const refusals = [
      ['GET', `${QUEUES}/none/entries`, 400, 'invalid_input'],
      ['GET', `${QUEUES}/constructor/entries`, 400, 'invalid_input'],
      ['GET', `${PROVISIONING}?state=completed`, 400, 'invalid_input'],
      ['GET', `${PROVISIONING}?marker=last`, 400, 'invalid_input'],
      ['GET', `${PROVISIONING}?page=1`, 400, 'invalid_input'],
      ['GET', `${PROVISIONING}/${id}`, 404, 'not_found'],
      ['POST', `${QUEUES}/none/pause`, 400, 'invalid_input'],
      ['POST', `${PROVISIONING}/${id}/run`, 404, 'not_found'],
    ] as const;

    for (const [method, path, status, code] of refusals) {
      const answer = await (method === 'GET'
        ? api.get<ErrorBody>(path, { as: admin })
        : api.post<ErrorBody>(path, { as: admin }));
      assert.deepEqual([answer.status, answer.body.code], [status, code], path);
    }
  });

  it('pauses and resumes a queue, and records who did it', async () => {
    const { api, admin, readQueue } = await prepare(allowed);

    const paused = await api.post<Queue>(`${QUEUES}/provisioning/pause`, { as: admin });
    assert.deepEqual([paused.status, paused.body.is_paused], [200, true]);
    assert.equal((await readQueue()).is_paused, true);
    const resumed = await api.post<Queue>(`${QUEUES}/provisioning/resume`, { as: admin });
    assert.deepEqual([resumed.status, resumed.body.is_paused], [200, false]);

    const records = await eventually(async () => {
      const found = await api.context.audit.read('change', {}, 10);
      return found.length >= 2 ? found : undefined;
    });
    assert.deepEqual(
      records.map(({ method, resource_id, route, status, user_id }) => [
        method,
        route,
        resource_id,
        status,
        user_id,
      ]),
      [
        ['POST', `${QUEUES}/:queue/resume`, 'provisioning', 200, admin.userId],
        ['POST', `${QUEUES}/:queue/pause`, 'provisioning', 200, admin.userId],
      ],
    );
  });

  it('runs a deferred job at once', async () => {
    const { api, admin, read } = await prepare(allowed);
    const id = newId();
    await api.context.queues.add(id, queued, { delayMs: 3_600_000 });
    const path = `${QUEUES}/maintenance/entries/${id}`;
    const { created_at, delay_ms, due_at, first_delay_ms, state } = await read<Entry>(path);
    assert.equal(state, 'delayed');
    assert.deepEqual([delay_ms, first_delay_ms], [3_600_000, 3_600_000]);
    assert.equal(Date.parse(String(due_at)) - Date.parse(String(created_at)), 3_600_000);

    const { status, text } = await api.post(`${path}/run`, { as: admin });

    assert.equal(status, 204, text);
    assert.equal((await read<Entry>(path)).state, 'waiting');
    const record = await eventually(async () => (await api.context.audit.read('change', {}, 5))[0]);
    assert.deepEqual(
      [record.route, record.resource_id],
      [`${QUEUES}/:queue/entries/:entry_id/run`, `maintenance/${id}`],
    );
    assert.equal(await readJob(api.context.redis.store, id), null);
  });

  it('is changed by nobody unless the operators allow changes', async () => {
    const { api, admin, readQueue } = await prepare();

    const paths = ['pause', 'resume', `entries/${newId()}/run`];
    const answers = await Promise.all(
      paths.map((path) => api.post<ErrorBody>(`${QUEUES}/provisioning/${path}`, { as: admin })),
    );

    for (const { body, status } of answers) {
      assert.deepEqual([status, body.code], [403, 'forbidden']);
      assert.match(body.detail, /ops\.allow_changes/);
    }
    assert.equal((await readQueue()).is_paused, false);
  });

  it('refuses members', async () => {
    const api = await suite.start({ settings: allowed });
    const member = suite.cloud.validCaller(newCaller());

    const answers = await Promise.all([
      api.get(QUEUES, { as: member }),
      api.get(PROVISIONING, { as: member }),
      api.get('/api/admin/failures', { as: member }),
      api.get(`/api/admin/jobs/${newId()}/steps`, { as: member }),
      api.post(`${QUEUES}/provisioning/pause`, { as: member }),
    ]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(answers.length).fill(403),
    );
  });

  it('limits changes', async () => {
    const { api, admin } = await prepare({ ...allowed, rate_limits: { ops_change: 1 } });
    const resume = () => api.post(`${QUEUES}/maintenance/resume`, { as: admin });

    const answers = [await resume(), await resume(), await api.get(QUEUES, { as: admin })];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 429, 200],
    );
  });

  it('has the number of live workers', async () => {
    const { api, readQueue } = await prepare();

    const without = await readQueue();
    await registerSlots(api.context.redis.store, 'w-1', new Map([['provisioning', 2]]), 60_000);
    const withOne = await readQueue();

    assert.deepEqual([without.workers, withOne.workers], [0, 1]);
  });
});
