import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const callback = '/api/instances/first-boot/callback';
const publicUrl = { public_endpoint: { url: 'https://gateway.example.org' } };
const report = { boot: 'b-1', sequence: 1, stage: 'layers', result: 'running' };
const ready = { ...report, sequence: 2, stage: 'done', result: 'ready' };
const failed = { ...report, sequence: 2, result: 'failed', reason: 'mount.nfs: 10.0.0.5 denied access' };

interface Row {
  id: string;
  workspace: { status: string; stage: string | null; message: string; checked_at: string | null } | null;
}

interface ServerRow {
  id: string;
  tenant_id: string;
  created: string;
  metadata: Record<string, string>;
  [field: string]: unknown;
}

const recorded = fixtureBody<ServerRow>('compute/server', 'server');

/** A server with libraries that a job has created just now. */
function layeredServer(jobId: string, attributes: Partial<ServerRow> = {}): ServerRow {
  return {
    ...recorded,
    created: new Date().toISOString(),
    metadata: { overlay_libraries: 'numpy', gateway_job_id: jobId },
    ...attributes,
  };
}

describe('POST /api/instances/first-boot/callback', () => {
  const suite = apiSuite();
  let caller: TestCaller;

  beforeEach(() => {
    caller = newCaller({ projectId: recorded.tenant_id });
  });

  async function issued(api: TestApi) {
    const jobId = newId();
    const owner = { projectId: caller.projectId, jobId };
    return { jobId, token: await api.context.firstBoots.issueToken(owner) };
  }

  async function listed(api: TestApi, servers: ServerRow[]): Promise<Row[]> {
    suite.cloud
      .reply('compute/servers', { body: { servers } })
      .reply('block-storage/volumes', { optional: true })
      .reply('compute/flavors', { optional: true })
      .reply('image/images', { optional: true });
    return (await api.get<Row[]>('/api/instances?refresh=true', { as: caller })).body;
  }

  it('accepts reports with a valid token, which the list then shows', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);
    const { jobId, token } = await issued(api);
    const server = layeredServer(jobId);
    const post = (body: object) => api.post(callback, { body: { token, ...body } });
    const workspace = async () => (await listed(api, [server]))[0]?.workspace;
    assert.deepEqual(
      [(await workspace())?.status, (await workspace())?.checked_at],
      ['pending', null],
      'before any report',
    );

    assert.deepEqual((await post(report)).body, { status: 'ok' });
    const pending = await workspace();
    assert.deepEqual([pending?.status, pending?.stage], ['pending', 'layers']);
    assert.equal((await post(ready)).status, 200);

    const { checked_at: checkedAt, ...shown } = (await workspace()) ?? {};
    assert.deepEqual(shown, { status: 'ready', stage: null, message: '/workspace is mounted.' });
    assert.match(checkedAt ?? '', /Z$/);
    assert.equal((await post(ready)).status, 200, 'the response may be lost');
  });

  it('drops the cached list of the project', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);
    const { jobId, token } = await issued(api);
    await listed(api, [layeredServer(jobId)]);

    await api.post(callback, { body: { token, ...ready } });

    suite.cloud
      .reply('compute/servers', { body: { servers: [layeredServer(jobId)] } })
      .reply('block-storage/volumes');
    const { body } = await api.get<Row[]>('/api/instances', { as: caller });
    assert.equal(body[0]?.workspace?.status, 'ready');
  });

  it('is null for an instance without libraries', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);

    const [row] = await listed(api, [layeredServer(newId(), { metadata: {} })]);

    assert.equal(row?.workspace, null);
  });

  it('shows users what failed, and logs the reason for operators', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);
    const { jobId, token } = await issued(api);

    await api.post(callback, { body: { token, ...failed } });

    const [row] = await listed(api, [layeredServer(jobId)]);
    assert.deepEqual([row?.workspace?.status, row?.workspace?.stage], ['failed', 'layers']);
    assert.match(row?.workspace?.message ?? '', /^The shares of the libraries could not be mounted\. Please/);
    assert.doesNotMatch(row?.workspace?.message ?? '', /10\.0\.0\.5/);
    assert.match(
      api.log.text(),
      /The first boot of an instance failed.*mount\.nfs: 10\.0\.0\.5 denied access/,
    );
  });

  it('is 403 for a used, unknown or foreign token', async () => {
    const api = await suite.start({ settings: { ...publicUrl, rate_limits: { callback: 0 } } });
    const { token } = await issued(api);
    const statusOf = async (body: object) => (await api.post<ErrorBody>(callback, { body })).status;
    await statusOf({ token, ...ready });

    const refused = [
      await statusOf({ token, ...failed, sequence: 3 }),
      await statusOf({ token: 'unknown', ...ready }),
      await statusOf({ token: `${caller.projectId}.${newId()}.x`, ...ready }),
      await statusOf({ token: await api.context.callbacks.issueToken(newId(), 60), ...ready }),
    ];

    assert.deepEqual(refused, [403, 403, 403, 403]);
  });

  it('is 409 for a report that is older than the last one', async () => {
    const api = await suite.start({ settings: publicUrl });
    const { token } = await issued(api);
    await api.post(callback, { body: { token, ...report, sequence: 5 } });

    const answer = await api.post<ErrorBody>(callback, { body: { token, ...report } });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  });

  it('is 400 for an invalid report, which keeps the token valid', async () => {
    const api = await suite.start({ settings: publicUrl });
    const { token } = await issued(api);
    const fieldOf = async (body: object) =>
      (await api.post<ErrorBody>(callback, { body: { token, ...ready, ...body } })).body.errors?.[0]?.field;

    assert.equal(await fieldOf({ boot: 'a b' }), 'body.boot');
    assert.equal(await fieldOf({ sequence: -1 }), 'body.sequence');
    assert.equal(await fieldOf({ stage: '<script>' }), 'body.stage');
    assert.equal(await fieldOf({ result: 'done' }), 'body.result');
    assert.equal((await api.post(callback, { body: { token, ...ready } })).status, 200);
  });

  it('limits unknown tokens by address, without affecting an instance with a token', async () => {
    const api = await suite.start({ settings: { ...publicUrl, rate_limits: { callback: 1 } } });
    const { token } = await issued(api);
    const post = async (used: string) =>
      (await api.post(callback, { body: { token: used, ...report } })).status;

    assert.deepEqual(await Array.fromAsync(['unknown', 'unknown'], post), [403, 429]);
    assert.deepEqual(await Array.fromAsync([token, token], post), [200, 429]);
  });

  it('shows no state of an instance of another project', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);
    const jobId = newId();
    const token = await api.context.firstBoots.issueToken({ projectId: 'another', jobId });
    await api.post(callback, { body: { token, ...failed } });

    const [row] = await listed(api, [layeredServer(jobId)]);

    assert.equal(row?.workspace?.status, 'pending');
  });

  it('counts the results by stage', async () => {
    const api = await suite.start({ settings: publicUrl });
    const { token } = await issued(api);
    const countOf = async (result: string, stage: string) =>
      new RegExp(`gateway_first_boot_results_total\\{result="${result}",stage="${stage}"\\} (\\d+)`).exec(
        (await api.get('/api/metrics')).text,
      )?.[1];

    await api.post(callback, { body: { token, ...failed } });
    await api.post(callback, { body: { token, ...failed } });

    assert.equal(await countOf('failed', 'layers'), '0', 'in the first scrape');
    assert.equal(await countOf('failed', 'layers'), '1');
    assert.equal(await countOf('ready', 'done'), undefined);
  });
});

describe('the workspace in GET /api/instances/{instance_id}', () => {
  const suite = apiSuite();
  let caller: TestCaller;
  let jobId: string;

  beforeEach(() => {
    caller = newCaller({ projectId: recorded.tenant_id });
    jobId = newId();
  });

  const readyLog = 'Linux\ngateway first boot: ready, /workspace is mounted\nlogin: ';

  function consoleSays(output: string, status = 200): void {
    suite.cloud.reply('compute/server', {
      method: 'POST',
      path: `/v2.1/servers/${recorded.id}/action`,
      requestBody: { 'os-getConsoleOutput': {} },
      status,
      body: { output },
    });
  }

  async function detail(api: TestApi, attributes: Partial<ServerRow> = {}) {
    const server = layeredServer(jobId, attributes);
    suite.cloud
      .reply('compute/server', { body: { server } })
      .reply('compute/flavors', { optional: true })
      .reply('image/images', { optional: true });
    return (await api.get<Row>(`/api/instances/${server.id}`, { as: caller })).body.workspace;
  }

  it('is read from the console log without a report, and kept', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);
    consoleSays(readyLog);

    assert.equal((await detail(api))?.status, 'ready');
    assert.equal((await detail(api))?.status, 'ready', 'without another call');
  });

  it('reads the console log at most once a minute in all processes', async () => {
    const api = await suite.start({ settings: publicUrl });
    const other = await suite.start({ settings: publicUrl, keyPrefix: api.keyPrefix });
    suite.cloud.acceptsToken(caller).acceptsToken(caller, { optional: true });
    consoleSays('Linux\nlogin: ');

    assert.equal((await detail(api))?.status, 'pending');
    assert.equal((await detail(api))?.status, 'pending');
    assert.equal((await detail(other))?.status, 'pending');
  });

  it('reads no console log of an instance that has reported', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);
    const token = await api.context.firstBoots.issueToken({ projectId: caller.projectId, jobId });
    await api.post(callback, { body: { token, ...report } });

    const workspace = await detail(api);

    assert.deepEqual([workspace?.status, workspace?.stage], ['pending', 'layers']);
  });

  it('reads no console log of an instance that does not run', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);

    assert.equal((await detail(api, { status: 'SHUTOFF' }))?.status, 'pending');
  });

  it('is not an error if the console log cannot be read', async () => {
    const api = await suite.start({ settings: publicUrl });
    suite.cloud.validCaller(caller);
    consoleSays('', 403);

    const workspace = await detail(api, { created: '2026-01-01T00:00:00Z' });

    assert.equal(workspace?.status, 'unknown');
  });

  it('follows the console log where instances cannot report', async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);
    consoleSays(readyLog);
    assert.equal((await detail(api))?.status, 'ready');
    const owner = { projectId: caller.projectId, jobId };
    await forgetConsoleTurn(api, owner);
    consoleSays(`${readyLog}\ngateway first boot: FAILED at stage upper_disk: no disk, see /var/log/x\n`);

    const workspace = await detail(api);

    assert.deepEqual([workspace?.status, workspace?.stage], ['failed', 'upper_disk']);
  });
});

/** As a minute later. */
async function forgetConsoleTurn(api: TestApi, owner: { projectId: string; jobId: string }): Promise<void> {
  await api.context.redis.store.del(`{first-boot}:console:${owner.projectId}.${owner.jobId}`);
}
