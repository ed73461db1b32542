import assert from 'node:assert/strict';
import { readJob, readQueued } from '@gateway/jobs';
import type { LiteCluster, LiteClusterStatus } from '@gateway/lite';
import type { ErrorBody } from '../../support/api/client.ts';
import { storeCluster } from '../../support/api/clusters.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, queuedJob } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

const path = '/api/lite/clusters';
const agents = [
  { number: 1, vmId: 'vm-1', volumeId: 'volume-1' },
  { number: 2, vmId: 'vm-2', volumeId: 'volume-2' },
];

interface ClusterBody extends ErrorBody {
  status: string;
  agent_count: number;
  agent_vm_ids: string[];
  status_reason: string | null;
}

function scale(api: TestApi, id: string, as: TestCaller, body: unknown = { agent_count: 3 }) {
  return api.request<ClusterBody>('PATCH', `${path}/${id}/scale`, { as, body });
}

describe('PATCH /api/lite/clusters/{cluster_id}/scale', () => {
  const suite = apiSuite();

  /** An ACTIVE cluster with two agents. */
  async function started(settings = {}) {
    const api = await suite.start({ settings: { rate_limits: { lite_scale: 0 }, ...settings } });
    const caller = suite.cloud.validCaller(newCaller());
    return { api, caller, cluster: await storeCluster(api, caller, { status: 'ACTIVE', agents }) };
  }

  /** Ends the job of a scaling like a worker. */
  async function end(api: TestApi, cluster: LiteCluster, failure: { status: number; detail: string } | null) {
    const jobId = await queuedJob(api, 'provisioning');
    const log = await claimJob(api, jobId);
    if (failure === null) {
      await api.context.liteClusters.update(cluster, { agents: agents.slice(0, 1) }, ['ACTIVE']);
    }
    const message = { step: failure === null ? 'completed' : 'failed', progress: 100, message: 'Ended.' };
    await log.end(message, {
      status: failure === null ? 'completed' : 'failed',
      ...(failure && { failure: { code: 'quota_exceeded', ...failure } }),
    });
    return jobId;
  }

  it('answers the cluster when its job is done', async () => {
    const { api, caller, cluster } = await started();

    const answer = scale(api, cluster.id, caller, { agent_count: 1 });

    const jobId = await queuedJob(api, 'provisioning');
    assert.deepEqual((await readQueued(api.context.redis.store, jobId))?.payload, {
      clusterId: cluster.id,
      agentCount: 1,
    });
    await end(api, cluster, null);
    const { status, body } = await answer;
    assert.deepEqual([status, body.agent_count, body.agent_vm_ids], [200, 1, ['vm-1']]);
  });

  it('answers the error of its job', async () => {
    const { api, caller, cluster } = await started();

    const answer = scale(api, cluster.id, caller);

    const jobId = await end(api, cluster, { status: 409, detail: 'The quota is exceeded.' });
    const { status, body } = await answer;
    assert.deepEqual(
      [status, body.code, body.detail, body.job_id],
      [409, 'quota_exceeded', 'The quota is exceeded.', jobId],
    );
  });

  it('does nothing for the number that the cluster has', async () => {
    const { api, caller, cluster } = await started();

    const { status, body } = await scale(api, cluster.id, caller, { agent_count: 2 });

    assert.deepEqual([status, body.agent_count], [200, 2]);
    const jobs = await api.get<{ items: unknown[] }>('/api/jobs', { as: caller });
    assert.deepEqual(jobs.body.items, []);
  });

  it('is 504 with the id of the job after the time limit', async () => {
    const { api, caller, cluster } = await started({ time_limits: { lite_scale_seconds: 1 } });

    const { status, body } = await scale(api, cluster.id, caller);

    assert.deepEqual([status, body.code], [504, 'timeout']);
    assert.equal((await readJob(api.context.redis.store, body.job_id ?? ''))?.status, 'queued');
  });

  it('is 409 while another one is running, whatever the number', async () => {
    const { api, caller, cluster } = await started();
    const first = scale(api, cluster.id, caller);
    const jobId = await queuedJob(api, 'provisioning');

    for (const agent_count of [2, 4]) {
      const { status, body } = await scale(api, cluster.id, caller, { agent_count });
      assert.deepEqual([status, body.code, body.job_id], [409, 'conflict', jobId]);
    }
    await end(api, cluster, null);
    assert.equal((await first).status, 200);
  });

  it('lets one of several begin that come at the same time', async () => {
    const { api, caller, cluster } = await started({ time_limits: { lite_scale_seconds: 2 } });

    const answers = await Promise.all(
      [3, 4, 5].map((agent_count) => scale(api, cluster.id, caller, { agent_count })),
    );

    assert.deepEqual(answers.map(({ status }) => status).sort(), [409, 409, 504]);
  });

  for (const status of ['CREATING', 'ERROR', 'DELETED'] satisfies LiteClusterStatus[]) {
    it(`is 400 for a cluster that is ${status}`, async () => {
      const { api, caller } = await started();
      const cluster = await storeCluster(api, caller, { status });

      const answer = await scale(api, cluster.id, caller);

      assert.deepEqual([answer.status, answer.body.code], [400, 'cluster_not_active']);
    });
  }

  it('is 404 for a missing cluster and one of another project', async () => {
    const { api, caller, cluster } = await started();
    const other = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));

    assert.equal((await scale(api, cluster.id, other)).status, 404);
    assert.equal((await scale(api, 'unknown', caller)).status, 404);
  });

  for (const [what, body] of [
    ['no number', {}],
    ['a number as text', { agent_count: '3' }],
    ['part of an agent', { agent_count: 1.5 }],
    ['too many agents', { agent_count: 11 }],
    ['a negative number', { agent_count: -1 }],
  ] as const) {
    it(`is 400 for ${what}`, async () => {
      const { api, caller, cluster } = await started();

      const answer = await scale(api, cluster.id, caller, body);

      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, 'body.agent_count']);
    });
  }

  it('is limited per user and project', async () => {
    const { api, caller, cluster } = await started({ rate_limits: { lite_scale: 1 } });
    await scale(api, cluster.id, caller, { agent_count: 2 });

    assert.equal((await scale(api, cluster.id, caller, { agent_count: 2 })).status, 429);
  });
});

describe('DELETE /api/lite/clusters/{cluster_id}', () => {
  const suite = apiSuite();

  async function started(change?: Parameters<typeof storeCluster>[2]) {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    return { api, caller, cluster: await storeCluster(api, caller, change) };
  }

  const remove = (api: TestApi, id: string, as: TestCaller) =>
    api.request<ErrorBody>('DELETE', `${path}/${id}`, { as });

  for (const status of ['CREATING', 'ACTIVE', 'ERROR'] satisfies LiteClusterStatus[]) {
    it(`marks a ${status} cluster as DELETED, and starts one job`, async () => {
      const { api, caller, cluster } = await started({ status });

      const answers = await Promise.all([1, 2, 3].map(() => remove(api, cluster.id, caller)));

      assert.deepEqual(
        [...answers, await remove(api, cluster.id, caller)].map((answer) => answer.status),
        [204, 204, 204, 204],
      );
      const { body } = await api.get<{ status: string; deleted_at: string | null; name: string }>(
        `${path}/${cluster.id}`,
        { as: caller },
      );
      assert.equal(body.status, 'DELETED');
      assert.notEqual(body.deleted_at, null);
      const jobs = await api.get<{ items: { type: string; resource_id: string }[] }>('/api/jobs', {
        as: caller,
      });
      assert.deepEqual(
        jobs.body.items.map(({ type, resource_id }) => [type, resource_id]),
        [['lite.delete', cluster.id]],
      );
    });
  }

  it('cannot be cancelled: it has taken effect', async () => {
    const { api, caller, cluster } = await started();
    await remove(api, cluster.id, caller);
    const jobId = await queuedJob(api, 'cleanup');

    const answer = await api.post<ErrorBody>(`/api/jobs/${jobId}/cancel`, { as: caller });

    assert.equal(answer.status, 409, answer.text);
    assert.equal((await readJob(api.context.redis.store, jobId))?.cancelRequested, false);
  });

  it('cancels a scaling, and refuses the next one', async () => {
    const { api, caller, cluster } = await started({ status: 'ACTIVE', agents });
    void scale(api, cluster.id, caller).catch(() => {});
    const jobId = await queuedJob(api, 'provisioning');

    assert.equal((await remove(api, cluster.id, caller)).status, 204);

    await eventually(async () => {
      const job = await readJob(api.context.redis.store, jobId);
      return job?.cancelRequested;
    });
    assert.equal((await scale(api, cluster.id, caller)).status, 400);
    const log = await claimJob(api, jobId);
    await log.end({ step: 'failed', progress: -1, message: 'Cancelled.' }, { status: 'cancelled' });
  });

  it('frees the name', async () => {
    const { api, caller, cluster } = await started();
    await remove(api, cluster.id, caller);

    const { name, projectId, userId } = cluster;
    const isCreated = await api.context.liteClusters.create({
      ...cluster,
      id: 'another',
      name,
      projectId,
      userId,
    });
    assert.equal(isCreated, true);
  });

  it('is 404 for a missing cluster and one of another project', async () => {
    const { api, caller, cluster } = await started();
    const other = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));

    assert.equal((await remove(api, cluster.id, other)).status, 404);
    assert.equal((await remove(api, 'unknown', caller)).status, 404);
    assert.equal((await api.context.liteClusters.read(cluster.id))?.status, 'ACTIVE');
  });
});
