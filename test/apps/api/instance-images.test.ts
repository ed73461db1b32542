import assert from 'node:assert/strict';
import type { ServerRecord } from '@gateway/openstack';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers, serverOf } from '../../support/api/compute.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { queuedData } from '../../support/api/jobs.ts';
import { apiSuite } from '../../support/api/suite.ts';

const server = serverOf();
const path = `/api/instances/${server.id}/images/async`;
const body = { name: 'web server, configured' };

describe('POST /api/instances/:instance_id/images/async', () => {
  const suite = apiSuite();

  /** @param differences of the server that is read; null if none is */
  async function start(differences: Partial<ServerRecord> | null, caller: Partial<TestCaller> = {}) {
    const api = await suite.start();
    if (differences !== null) {
      computeAnswers(suite.cloud, `GET /servers/${server.id}`, { server: { ...server, ...differences } });
    }
    const as = suite.cloud.validCaller(newCaller({ projectId: server.tenant_id, ...caller }));
    return { api, as };
  }

  it('queues the job of an instance that allows it, and streams', async () => {
    const { api, as } = await start({});

    const stream = await api.stream('POST', path, { as, body });
    stream.close();

    assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
    const queued = await queuedData(api, String(stream.headers.get('x-job-id')));
    assert.deepEqual(
      [queued.type, queued.payload],
      ['image.create', { instanceId: server.id, name: body.name }],
    );
  });

  it('joins the same job for the same key, in any state', async () => {
    const { api, as } = await start({});
    const headers = { 'idempotency-key': 'once' };
    const first = await api.stream('POST', path, { as, body, headers });
    first.close();

    const again = await api.stream('POST', path, { as, body, headers });
    again.close();

    assert.equal(again.headers.get('x-job-id'), first.headers.get('x-job-id'));
  });

  it('is 409 with the state that forbids it', async () => {
    const { api, as } = await start({ status: 'ERROR', 'OS-EXT-STS:vm_state': 'error' });

    const answer = await api.post<ErrorBody>(path, { as, body });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.equal(answer.body.detail, 'No image of the instance can be made: its status is ERROR.');
  });

  it("is 404 for another project's instance, also for an administrator", async () => {
    const { api, as } = await start({}, { roles: ['admin'], projectId: 'another-project' });

    assert.equal((await api.post(path, { as, body })).status, 404);
  });

  it('is 403 for a reader', async () => {
    const { api, as } = await start({}, { roles: ['reader'] });

    const answer = await api.post<ErrorBody>(path, { as, body });

    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden']);
  });

  for (const wrong of [{}, { name: '' }, { name: 'x'.repeat(256) }, { name: 5 }]) {
    it(`is 400 for ${JSON.stringify(wrong).slice(0, 30)}`, async () => {
      const { api, as } = await start(null);

      const answer = await api.post<ErrorBody>(path, { as, body: wrong });

      assert.equal(answer.status, 400);
      assert.match(answer.body.errors?.[0]?.field ?? '', /^body\./);
    });
  }
});
