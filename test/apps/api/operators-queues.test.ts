import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import { jobKeys, readJob, registerSlots } from '@gateway/jobs';
import { instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, instanceMessage, queuedJob } from '../../support/api/jobs.ts';
import { logInOperator, visit } from '../../support/api/operator.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

interface ShownJob extends Record<string, unknown> {
  id: string;
  type: string;
  state: string;
  steps?: unknown[];
}

interface ShownJobs {
  items: ShownJob[];
  total: number;
  page: number;
  page_size: number;
}

interface ShownQueue {
  name: string;
  counts: Record<string, number>;
  workers: number;
}

const queued = {
  payload: {},
  credentialHandle: null,
  requestId: 'req-1',
  projectId: 'p-1',
  type: 'session.prefill',
} as const;
const provisioning = '/ops/data/queues/provisioning';

describe("the queues of the operators' page", () => {
  const suite = apiSuite();
  const settings = { ops: { enabled: true } };

  async function read<Shown>(api: TestApi, cookie: string, path: string): Promise<Shown> {
    const { status, text } = await visit(api, 'GET', path, { cookie });
    assert.equal(status, 200, text);
    return JSON.parse(text) as Shown;
  }

  async function readQueue(api: TestApi, cookie: string): Promise<ShownQueue> {
    const { items } = await read<{ items: ShownQueue[] }>(api, cookie, '/ops/data/queues');
    const queue = items.find(({ name }) => name === 'provisioning');
    assert.ok(queue);
    return queue;
  }

  async function createInstance(api: TestApi, caller: TestCaller, differences: object = {}): Promise<string> {
    const body = { ...instanceRequest(), ...differences };
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body });
    stream.close();
    return String(stream.headers.get('x-job-id'));
  }

  it("show ids and states of all projects' jobs, without users' texts", async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const id = await createInstance(api, caller, { name: 'private-name', admin_pass: 'Typed-Secret-1' });
    await queuedJob(api, 'provisioning');
    const { cookie } = await logInOperator(suite, api);

    const waiting = await readQueue(api, cookie);
    const log = await claimJob(api, id);
    await log.publish(instanceMessage('BOOT_VOLUME_CREATING', 45, 'About private-name.'));
    const begun = await read<ShownJobs>(api, cookie, `${provisioning}?state=waiting`);
    const job = await read<ShownJob>(api, cookie, `${provisioning}/jobs/${id}`);
    const listed = await visit(api, 'GET', '/ops/data/jobs', { cookie });

    assert.equal(waiting.counts.waiting, 1);
    assert.deepEqual(
      begun.items.map(({ type, progress, step, project_id }) => [type, progress, step, project_id]),
      [['instance.create', 45, 'BOOT_VOLUME_CREATING', caller.projectId]],
    );
    assert.deepEqual([begun.total, begun.page], [1, 1]);
    const { steps, ...fields } = job;
    assert.deepEqual(fields, begun.items[0]);
    assert.equal(job.state, 'waiting');
    assert.deepEqual(steps, [{ seq: 1, step: 'BOOT_VOLUME_CREATING', progress: 45 }]);
    const { items, total } = JSON.parse(listed.text) as { items: Record<string, unknown>[]; total: number };
    assert.equal(total, 1);
    assert.deepEqual(
      [items[0]?.id, items[0]?.status, items[0]?.progress, items[0]?.project_id],
      [id, 'running', 45, caller.projectId],
    );
    const shown = JSON.stringify([waiting, begun, job, listed.text]);
    assert.doesNotMatch(shown, /private-name|Typed-Secret|gAAAAA|credential|sealed|payload/);
  });

  it('show failed jobs with the code of their error', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const id = await createInstance(api, caller);
    await queuedJob(api, 'provisioning');
    const log = await claimJob(api, id);
    const failure = { status: 409, code: 'quota_exceeded', detail: 'About private-name.' };
    const message = { ...instanceMessage('FAILED', -1, 'About private-name.'), error: 'About private-name.' };
    await log.end(message, { status: 'failed', failure, leftovers: [] });
    const { cookie } = await logInOperator(suite, api);

    const { counts } = await readQueue(api, cookie);
    const jobs = await read<ShownJobs>(api, cookie, `${provisioning}?state=failed`);
    const job = await read<ShownJob>(api, cookie, `${provisioning}/jobs/${id}`);

    assert.equal(counts.failed, 1);
    assert.deepEqual(
      jobs.items.map(({ error_code, error_status, state, ...shown }) => [
        shown.id,
        error_code,
        error_status,
        state,
      ]),
      [[id, 'quota_exceeded', 409, 'failed']],
    );
    assert.equal(job.state, 'failed');
    assert.doesNotMatch(JSON.stringify([jobs, job]), /private-name/);
    const other = await visit(api, 'GET', `/ops/data/queues/cleanup/jobs/${id}`, { cookie });
    assert.equal(other.status, 404, 'the job is of another queue');

    const failures = await visit(api, 'GET', '/ops/data/failures', { cookie });
    const { items, total } = JSON.parse(failures.text) as { items: Record<string, unknown>[]; total: number };
    assert.equal(total, 1);
    assert.deepEqual(
      [items[0]?.id, items[0]?.project_id, items[0]?.reason, items[0]?.code],
      [id, caller.projectId, 'About private-name.', 'quota_exceeded'],
    );
  });

  it('show jobs of types that only a newer release knows', async () => {
    const api = await suite.start({ settings: { ops: { enabled: true, allow_changes: true } } });
    const id = await createInstance(api, suite.cloud.validCaller(newCaller()));
    await queuedJob(api, 'provisioning');
    await api.context.redis.store.hset(jobKeys.record(id), 'type', 'instance.of-tomorrow');
    const { cookie } = await logInOperator(suite, api);

    const waiting = await read<ShownJob>(api, cookie, `${provisioning}/jobs/${id}`);
    const { status } = await visit(api, 'PUT', `/ops/queues/provisioning/jobs/${id}/promote`, { cookie });
    await api.context.redis.store.hset(jobKeys.record(id), 'status', 'failed');
    const failed = await read<ShownJob>(api, cookie, `${provisioning}/jobs/${id}`);

    assert.deepEqual([waiting.state, status, failed.id], ['waiting', 200, id]);
  });

  it('show failed first boots among the failures of the last day', async () => {
    const api = await suite.start({ settings });
    const owner = { projectId: 'p1', jobId: newId() };
    const token = await api.context.firstBoots.issueToken(owner);
    const report = { boot: 'b', sequence: 1, stage: 'layers', result: 'failed' } as const;
    await api.context.firstBoots.accept(token, report);
    const { cookie } = await logInOperator(suite, api);

    const failures = await visit(api, 'GET', '/ops/data/failures', { cookie });

    const { items, total } = JSON.parse(failures.text) as { items: Record<string, unknown>[]; total: number };
    assert.equal(total, 1);
    assert.deepEqual([items[0]?.id, items[0]?.project_id, items[0]?.step], [owner.jobId, 'p1', 'layers']);
    assert.match(String(items[0]?.reason), /^The shares of the libraries could not be mounted/);
  });

  it('no longer show failed jobs whose records have expired', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const id = await createInstance(api, caller);
    await queuedJob(api, 'provisioning');
    const log = await claimJob(api, id);
    const failure = { status: 500, code: 'internal_error', detail: '' };
    await log.end(instanceMessage('FAILED', -1), { status: 'failed', failure });
    const { cookie } = await logInOperator(suite, api);
    await api.context.redis.store.del(`{jobs}:job:${id}`);

    const first = await read<ShownJobs>(api, cookie, `${provisioning}?state=failed`);
    const second = await read<ShownJobs>(api, cookie, `${provisioning}?state=failed`);

    assert.deepEqual([first.items, second.items, second.total], [[], [], 0]);
  });

  it('are shown in pages', async () => {
    const api = await suite.start({ settings });
    const { cookie } = await logInOperator(suite, api);
    const ids = Array.from({ length: 30 }, () => newId());
    for (const id of ids) await api.context.queues.add(id, queued, { delayMs: 3_600_000 });

    const delayed = '/ops/data/queues/maintenance?state=delayed';
    const first = await read<ShownJobs>(api, cookie, delayed);
    const second = await read<ShownJobs>(api, cookie, `${delayed}&page=2`);
    const third = await read<ShownJobs>(api, cookie, `${delayed}&page=3`);

    assert.deepEqual([first.page, first.total, first.page_size], [1, 30, 25]);
    assert.deepEqual([second.page, second.total, third.items], [2, 30, []]);
    const shown = [...first.items, ...second.items].map(({ id }) => id);
    assert.deepEqual([first.items.length, shown.toSorted()], [25, ids.toSorted()]);
  });

  it('refuse an unknown queue, state, page or job', async () => {
    const api = await suite.start({ settings: { ops: { enabled: true, allow_changes: true } } });
    const { cookie } = await logInOperator(suite, api);
    const id = newId();
    const refusals = [
      ['GET', '/ops/data/queues/none', 404, 'not_found'],
      ['GET', '/ops/data/queues/constructor', 404, 'not_found'],
      ['GET', `${provisioning}?state=completed`, 400, 'invalid_input'],
      ['GET', `${provisioning}?page=0`, 400, 'invalid_input'],
      ['GET', `${provisioning}?pages=1`, 400, 'invalid_input'],
      ['GET', `${provisioning}/jobs/${id}`, 404, 'not_found'],
      ['GET', `/ops/data/queues/none/jobs/${id}`, 404, 'not_found'],
      ['PUT', '/ops/queues/none/pause', 404, 'not_found'],
      ['PUT', `/ops/queues/provisioning/jobs/${id}/promote`, 404, 'not_found'],
    ] as const;

    for (const [method, path, status, code] of refusals) {
      const answer = await visit(api, method, path, { cookie });
      assert.deepEqual([answer.status, JSON.parse(answer.text).code], [status, code], path);
    }
  });

  it('run a deferred job at once where changes are allowed', async () => {
    const api = await suite.start({ settings: { ops: { enabled: true, allow_changes: true } } });
    const { cookie } = await logInOperator(suite, api);
    const id = '01990000-0000-7000-8000-000000000001';
    await api.context.queues.add(id, queued, { delayMs: 3_600_000 });
    const job = () => read<ShownJob>(api, cookie, `/ops/data/queues/maintenance/jobs/${id}`);
    const { created_at, delay_ms, due_at, first_delay_ms, state } = await job();
    assert.equal(state, 'delayed');
    assert.deepEqual([delay_ms, first_delay_ms], [3_600_000, 3_600_000]);
    assert.equal(Date.parse(String(due_at)) - Date.parse(String(created_at)), 3_600_000);

    const path = `/ops/queues/maintenance/jobs/${id}/promote`;
    const { status, text } = await visit(api, 'PUT', path, { cookie });

    assert.ok(status < 300, text);
    assert.equal((await job()).state, 'waiting');
    const record = await eventually(async () =>
      (await api.context.audit.read('change', {}, 5)).find(({ method }) => method === 'PUT'),
    );
    assert.deepEqual([record.route, record.resource_id], ['/ops/queues/promote', `maintenance/${id}`]);
    assert.equal(await readJob(api.context.redis.store, id), null);
  });

  it('have the number of live workers', async () => {
    const api = await suite.start({ settings });
    const { cookie } = await logInOperator(suite, api);

    const without = await readQueue(api, cookie);
    await registerSlots(api.context.redis.store, 'w-1', new Map([['provisioning', 2]]), 60_000);
    const withOne = await readQueue(api, cookie);

    assert.deepEqual([without.workers, withOne.workers], [0, 1]);
  });

  it("contain nothing of an error's message", async () => {
    const api = await suite.start({ settings });
    const { cookie } = await logInOperator(suite, api);
    assert.equal((await visit(api, 'GET', '/ops/data/queues', { cookie })).status, 200);
    api.context.queues.open = async () => {
      throw new Error('private-name');
    };

    const { status, text } = await visit(api, 'GET', '/ops/data/queues', { cookie });

    assert.equal(status, 500);
    assert.doesNotMatch(text, /private-name/);
    assert.match(api.log.text(), /Request failed/);
  });

  it('load nothing from other hosts', async () => {
    const api = await suite.start({ settings });
    const { cookie } = await logInOperator(suite, api);

    const { headers, status, text } = await visit(api, 'GET', '/ops/queues', { cookie });
    const [, file] = /<script type="module" src="([^"]+)">/.exec(text) ?? [];
    const script = await visit(api, 'GET', String(file), { cookie });

    assert.equal(status, 200);
    assert.doesNotMatch(text, /https?:/);
    assert.match(String(headers['content-security-policy']), /script-src 'self';style-src 'self'$/);
    assert.doesNotMatch(text, /<style| style=|<script(?! type="module" src=")| on\w+=/);
    assert.equal(script.status, 200);
    assert.doesNotMatch(script.text, /https?:|innerHTML|insertAdjacentHTML/);
  });
});
