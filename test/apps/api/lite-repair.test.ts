import assert from 'node:assert/strict';
import { readJob, readQueued } from '@gateway/jobs';
import { type LiteClusterStatus, serverNodeName } from '@gateway/lite';
import type { ErrorBody } from '../../support/api/client.ts';
import { storeCluster } from '../../support/api/clusters.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, queuedJob } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

const agents = [
  { number: 1, vmId: 'vm-1', volumeId: 'volume-1' },
  { number: 3, vmId: 'vm-3', volumeId: 'volume-3' },
];

interface ClusterBody extends ErrorBody {
  agent_count: number;
  agent_vm_ids: string[];
}

interface RepairRequest {
  as: TestCaller;
  body: unknown;
  headers?: Record<string, string>;
}

function repair(api: TestApi, id: string, request: RepairRequest) {
  return api.request<ClusterBody>('POST', `/api/lite/clusters/${id}/repair`, request);
}

describe('POST /api/lite/clusters/{cluster_id}/repair', () => {
  const suite = apiSuite();

  /** An ACTIVE cluster with two agents. */
  async function started(settings = {}) {
    const api = await suite.start({ settings: { rate_limits: { lite_scale: 0 }, ...settings } });
    const caller = suite.cloud.validCaller(newCaller());
    const cluster = await storeCluster(api, caller, { status: 'ACTIVE', agents });
    return { api, caller, cluster, node: `${cluster.name}-agent-3` };
  }

  /** Ends the job like a worker. */
  async function end(api: TestApi, failure: { code: string; status: number; detail: string } | null) {
    const jobId = await queuedJob(api, 'provisioning');
    const log = await claimJob(api, jobId);
    const step = failure === null ? 'completed' : 'failed';
    await log.end({ step, progress: 100, message: 'Ended.' }, { status: step, ...(failure && { failure }) });
    return jobId;
  }

  it('answers the cluster when its job is done', async () => {
    const { api, caller, cluster, node } = await started();

    const answer = repair(api, cluster.id, { as: caller, body: { node } });

    const jobId = await queuedJob(api, 'provisioning');
    assert.deepEqual((await readQueued(api.context.redis.store, jobId))?.payload, {
      clusterId: cluster.id,
      node,
      force: false,
    });
    await end(api, null);
    const { status, body } = await answer;
    assert.deepEqual([status, body.agent_vm_ids], [200, ['vm-1', 'vm-3']]);
  });

  it('answers the refusal of its job', async () => {
    const { api, caller, cluster, node } = await started();

    const answer = repair(api, cluster.id, { as: caller, body: { node } });

    const refusal = { code: 'node_not_dead', status: 409, detail: 'The node is ready.' };
    const jobId = await end(api, refusal);
    const { status, body } = await answer;
    assert.deepEqual(
      [status, body.code, body.detail, body.job_id],
      [409, 'node_not_dead', 'The node is ready.', jobId],
    );
  });

  it('repeated with its Idempotency-Key joins the job', async () => {
    const { api, caller, cluster, node } = await started();
    const request = { as: caller, body: { node }, headers: { 'idempotency-key': 'key-1' } };
    const first = repair(api, cluster.id, request);
    const jobId = await queuedJob(api, 'provisioning');

    const second = repair(api, cluster.id, request);
    // The node does not exist any more.
    await api.context.liteClusters.update(cluster, { agents: agents.slice(0, 1) }, ['ACTIVE']);
    await end(api, null);

    const answers = [await first, await second, await repair(api, cluster.id, request)];
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.agent_vm_ids]),
      Array.from({ length: 3 }, () => [200, ['vm-1']]),
    );
    const jobs = await api.get<{ items: { id: string }[] }>('/api/jobs', { as: caller });
    assert.deepEqual(
      jobs.body.items.map(({ id }) => id),
      [jobId],
    );
  });

  it('is 504 with the id of the job after the time limit', async () => {
    const { api, caller, cluster, node } = await started({ time_limits: { lite_scale_seconds: 1 } });

    const { status, body } = await repair(api, cluster.id, { as: caller, body: { node, force: true } });

    assert.deepEqual([status, body.code], [504, 'timeout']);
    assert.equal((await readJob(api.context.redis.store, body.job_id ?? ''))?.status, 'queued');
  });

  it('is 409 while another change of the cluster is running', async () => {
    const { api, caller, cluster, node } = await started();
    const first = repair(api, cluster.id, { as: caller, body: { node } });
    const jobId = await queuedJob(api, 'provisioning');

    const second = await repair(api, cluster.id, { as: caller, body: { node } });
    const scaling = await api.request<ClusterBody>('PATCH', `/api/lite/clusters/${cluster.id}/scale`, {
      as: caller,
      body: { agent_count: 5 },
    });

    for (const { status, body } of [second, scaling]) {
      assert.deepEqual([status, body.code, body.job_id], [409, 'conflict', jobId]);
    }
    await end(api, null);
    assert.equal((await first).status, 200);
  });

  it('refuses the control node, with the reason', async () => {
    const { api, caller, cluster } = await started();

    const node = serverNodeName(cluster);
    const { status, body } = await repair(api, cluster.id, { as: caller, body: { node, force: true } });

    assert.deepEqual([status, body.code], [400, 'invalid_input']);
    assert.deepEqual(body.errors, [{ field: 'body.node', message: 'is the control node' }]);
  });

  it('is 404 for a node that the cluster does not have', async () => {
    const { api, caller, cluster } = await started();

    for (const node of [`${cluster.name}-agent-2`, 'vm-1']) {
      const { status, body } = await repair(api, cluster.id, { as: caller, body: { node } });
      assert.deepEqual([status, body.code], [404, 'not_found'], node);
    }
  });

  it('is 404 for a missing cluster and one of another project', async () => {
    const { api, caller, cluster, node } = await started();
    const other = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));

    assert.equal((await repair(api, cluster.id, { as: other, body: { node } })).status, 404);
    assert.equal((await repair(api, 'unknown', { as: caller, body: { node } })).status, 404);
  });

  for (const status of ['CREATING', 'ERROR', 'DELETED'] satisfies LiteClusterStatus[]) {
    it(`is 400 for a cluster that is ${status}`, async () => {
      const { api, caller } = await started();
      const cluster = await storeCluster(api, caller, { status });

      const answer = await repair(api, cluster.id, { as: caller, body: { node: `${cluster.name}-agent-1` } });

      assert.deepEqual([answer.status, answer.body.code], [400, 'cluster_not_active']);
    });
  }

  for (const [what, body] of [
    ['no node', {}],
    ['an empty name', { node: '' }],
    ['a number', { node: 3 }],
    ['another word than a boolean', { node: 'a-agent-1', force: 'surely' }],
  ] as const) {
    it(`is 400 for ${what}`, async () => {
      const { api, caller, cluster } = await started();

      const answer = await repair(api, cluster.id, { as: caller, body });

      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
    });
  }

  it('is limited per user and project, together with scalings', async () => {
    const { api, caller, cluster } = await started({ rate_limits: { lite_scale: 1 } });
    const request = { as: caller, body: { node: 'missing' } };

    assert.equal((await repair(api, cluster.id, request)).status, 404);
    assert.equal((await repair(api, cluster.id, request)).status, 429);
  });
});
