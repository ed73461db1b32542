import assert from 'node:assert/strict';
import { readJob, registerSlots } from '@gateway/jobs';
import { instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, instanceMessage, queuedJob } from '../../support/api/jobs.ts';
import { logInOperator, visit } from '../../support/api/operator.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

interface BoardJob {
  id: string;
  name: string;
  data: Record<string, unknown>;
  progress: number;
  failedReason: string;
  isFailed: boolean;
  stacktrace: string[];
}

interface BoardQueue {
  name: string;
  counts: Record<string, number>;
  jobs: BoardJob[];
  hasWorkers: boolean | null;
}

describe("the queues of the operators' page", () => {
  const suite = apiSuite();
  const settings = { ops: { enabled: true } };

  async function board(api: TestApi, cookie: string, query = ''): Promise<BoardQueue> {
    const path = `/ops/queues/api/queues?activeQueue=provisioning&jobsPerPage=10&page=1${query}`;
    const { status, text } = await visit(api, 'GET', path, { cookie });
    assert.equal(status, 200, text);
    const { queues } = JSON.parse(text) as { queues: BoardQueue[] };
    const queue = queues.find(({ name }) => name === 'provisioning');
    assert.ok(queue);
    return queue;
  }

  async function createInstance(api: TestApi, caller: TestCaller, differences: object = {}): Promise<string> {
    const body = { ...instanceRequest(), ...differences };
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body });
    stream.close();
    return String(stream.headers.get('x-job-id'));
  }

  it('show the jobs of all projects with ids and states, and nothing that a user has written', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const id = await createInstance(api, caller, { name: 'private-name', admin_pass: 'Typed-Secret-1' });
    await queuedJob(api, 'provisioning');
    const { cookie } = await logInOperator(suite, api);

    const waiting = await board(api, cookie);
    const log = await claimJob(api, id);
    await log.publish(instanceMessage('BOOT_VOLUME_CREATING', 45, 'About private-name.'));
    const begun = await board(api, cookie);
    const job = await visit(api, 'GET', `/ops/queues/api/queues/provisioning/${id}`, { cookie });
    const logs = await visit(api, 'GET', `/ops/queues/api/queues/provisioning/${id}/logs`, { cookie });
    const listed = await visit(api, 'GET', '/ops/data/jobs', { cookie });

    assert.equal(waiting.counts.waiting, 1);
    assert.deepEqual(
      begun.jobs.map(({ data, name, progress }) => [name, progress, data.step, data.project_id]),
      [['instance.create', 45, 'BOOT_VOLUME_CREATING', caller.projectId]],
    );
    assert.equal(JSON.parse(job.text).status, 'waiting');
    assert.deepEqual(JSON.parse(logs.text), ['1. BOOT_VOLUME_CREATING, 45 %']);
    const { items, total } = JSON.parse(listed.text) as { items: Record<string, unknown>[]; total: number };
    assert.equal(total, 1);
    assert.deepEqual(
      [items[0]?.id, items[0]?.status, items[0]?.progress, items[0]?.project_id],
      [id, 'running', 45, caller.projectId],
    );
    const shown = JSON.stringify([waiting, begun, job.text, logs.text, listed.text]);
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

    const queue = await board(api, cookie, '&status=failed');
    const { text } = await visit(api, 'GET', `/ops/queues/api/queues/provisioning/${id}`, { cookie });

    assert.equal(queue.counts.failed, 1);
    assert.deepEqual(
      queue.jobs.map(({ failedReason, isFailed, stacktrace, ...job }) => [
        job.id,
        failedReason,
        isFailed,
        stacktrace,
      ]),
      [[id, 'quota_exceeded (409)', true, []]],
    );
    assert.equal(JSON.parse(text).status, 'failed');
    assert.doesNotMatch(JSON.stringify([queue, text]), /private-name/);

    const failures = await visit(api, 'GET', '/ops/data/failures', { cookie });
    const { items, total } = JSON.parse(failures.text) as { items: Record<string, unknown>[]; total: number };
    assert.equal(total, 1);
    assert.deepEqual(
      [items[0]?.id, items[0]?.project_id, items[0]?.reason, items[0]?.code],
      [id, caller.projectId, 'About private-name.', 'quota_exceeded'],
    );
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

    const first = await board(api, cookie, '&status=failed');
    const second = await board(api, cookie, '&status=failed');

    assert.deepEqual([first.jobs, second.jobs, second.counts.failed], [[], [], 0]);
  });

  it('run a deferred job at once where changes are allowed', async () => {
    const api = await suite.start({ settings: { ops: { enabled: true, allow_changes: true } } });
    const { cookie } = await logInOperator(suite, api);
    const { queues } = api.context;
    const id = '01990000-0000-7000-8000-000000000001';
    const queued = { payload: {}, credentialHandle: null, requestId: 'req-1', projectId: 'p-1' };
    await queues.add(id, { ...queued, type: 'session.prefill' }, 3_600_000);
    const path = `/ops/queues/api/queues/maintenance/${id}`;
    const state = async () => JSON.parse((await visit(api, 'GET', path, { cookie })).text).status;
    assert.equal(await state(), 'delayed');
    const { job } = JSON.parse((await visit(api, 'GET', path, { cookie })).text);
    assert.deepEqual([job.delay, job.opts], [3_600_000, { delay: 3_600_000 }]);

    const { status, text } = await visit(api, 'PUT', `${path}/promote`, { cookie });

    assert.ok(status < 300, text);
    assert.equal(await state(), 'waiting');
    const record = await eventually(async () =>
      (await api.context.audit.read('change', {}, 5)).find(({ method }) => method === 'PUT'),
    );
    assert.deepEqual([record.route, record.resource_id], ['/ops/queues/promote', `maintenance/${id}`]);
    assert.equal(await readJob(api.context.redis.store, id), null);
  });

  it('warn of a queue without a live worker', async () => {
    const api = await suite.start({ settings });
    const { cookie } = await logInOperator(suite, api);

    const without = await board(api, cookie);
    await registerSlots(api.context.redis.store, 'w-1', new Map([['provisioning', 2]]), 60_000);
    const withOne = await board(api, cookie);

    assert.deepEqual([without.hasWorkers, withOne.hasWorkers], [false, null]);
  });

  it('tell nothing of what an error says', async () => {
    const api = await suite.start({ settings });
    const { cookie } = await logInOperator(suite, api);
    assert.equal((await visit(api, 'GET', '/ops/queues/api/queues', { cookie })).status, 200);
    api.context.queues.open = async () => {
      throw new Error('private-name');
    };

    const { status, text } = await visit(api, 'GET', '/ops/queues/api/queues', { cookie });

    assert.equal(status, 500);
    assert.doesNotMatch(text, /private-name/);
    assert.match(api.log.text(), /The board of queues could not answer/);
  });

  it('load nothing from other hosts', async () => {
    const api = await suite.start({ settings });
    const { cookie } = await logInOperator(suite, api);

    const { headers, status, text } = await visit(api, 'GET', '/ops/queues', { cookie });
    const file = /static\/js\/main\.\w+\.js/.exec(text)?.[0];
    const script = await visit(api, 'GET', `/ops/queues/${file}`, { cookie });

    assert.equal(status, 200);
    assert.doesNotMatch(text, /https?:/);
    assert.match(String(headers['content-security-policy']), /script-src 'self';/);
    assert.match(text, /<base href="\/ops\/queues\/"/);
    assert.equal(script.status, 200);
  });
});
