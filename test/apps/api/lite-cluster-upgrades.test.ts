import assert from 'node:assert/strict';
import { readJob, readQueued } from '@gateway/jobs';
import type { LiteClusterChange, LiteClusterStatus } from '@gateway/lite';
import type { ErrorBody } from '../../support/api/client.ts';
import { storeCluster } from '../../support/api/clusters.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { claimJob, queuedJob } from '../../support/api/jobs.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

const path = '/api/lite/clusters';
const k3s = { version: 'v1.36.1+k3s1', upgrade_versions: ['v1.35.6+k3s1', 'v1.35.2+k3s1'] };
const OLD = 'v1.35.4+k3s1';

interface ClusterBody extends ErrorBody {
  status: string;
  k3s_version: string | null;
  upgrade: {
    version: string;
    status: string;
    progress: number | null;
    message: string;
    job_id: string;
  } | null;
}

describe('the upgrades of /api/lite/clusters/{cluster_id}', () => {
  const suite = apiSuite();

  async function started(change: LiteClusterChange = {}, settings = {}) {
    const api = await suite.start({
      settings: { rate_limits: { lite_scale: 0 }, lite: { k3s }, ...settings },
    });
    const caller = suite.cloud.validCaller(newCaller());
    const cluster = await storeCluster(api, caller, { status: 'ACTIVE', k3sVersion: OLD, ...change });
    return { api, caller, cluster };
  }

  function upgrade(api: TestApi, id: string, as: TestCaller, body: unknown = { version: k3s.version }) {
    return api.post<ClusterBody>(`${path}/${id}/upgrade`, { as, body });
  }

  function read(api: TestApi, id: string, as: TestCaller) {
    return api.get<ClusterBody>(`${path}/${id}`, { as });
  }

  describe('GET /upgrades', () => {
    it('answers the current release and the next ones', async () => {
      const { api, caller, cluster } = await started();

      const { status, body } = await api.get(`${path}/${cluster.id}/upgrades`, { as: caller });

      assert.deepEqual(
        [status, body],
        [200, { current_version: OLD, versions: ['v1.35.6+k3s1', 'v1.36.1+k3s1'] }],
      );
    });

    it('answers none for a cluster whose release is not known', async () => {
      const { api, caller, cluster } = await started({ k3sVersion: null });

      const { body } = await api.get(`${path}/${cluster.id}/upgrades`, { as: caller });

      assert.deepEqual(body, { current_version: null, versions: [] });
    });

    it('is 404 for a cluster of another project', async () => {
      const { api, caller, cluster } = await started();
      const other = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));

      assert.equal((await api.get(`${path}/${cluster.id}/upgrades`, { as: other })).status, 404);
      assert.equal((await api.get(`${path}/unknown/upgrades`, { as: caller })).status, 404);
    });
  });

  describe('POST /upgrade', () => {
    it('starts a job, and answers the cluster with its progress', async () => {
      const { api, caller, cluster } = await started();

      const { status, body } = await upgrade(api, cluster.id, caller);

      const jobId = await queuedJob(api, 'provisioning');
      assert.equal(status, 202);
      const queued = { progress: 0, message: 'Waiting for a worker.', job_id: jobId };
      assert.deepEqual(body.upgrade, { version: k3s.version, status: 'UPGRADING', ...queued });
      assert.deepEqual([body.status, body.k3s_version], ['ACTIVE', OLD]);
      assert.deepEqual((await readQueued(api.context.redis.store, jobId))?.payload, {
        clusterId: cluster.id,
        version: k3s.version,
      });
      const listed = await api.get<ClusterBody[]>(path, { as: caller });
      assert.deepEqual(listed.body[0]?.upgrade, body.upgrade);
    });

    it('shows an upgrade that has stopped, until it is completed', async () => {
      const { api, caller, cluster } = await started();
      await upgrade(api, cluster.id, caller);
      const log = await claimJob(api, await queuedJob(api, 'provisioning'));
      const statusReason = 'The node a could not be upgraded: the download failed.';
      await api.context.liteClusters.update(cluster, { statusReason, upgrade: { version: k3s.version } }, [
        'ACTIVE',
      ]);
      await log.end({ step: 'failed', progress: -1, message: 'Ended.' }, { status: 'failed' });

      const { body } = await read(api, cluster.id, caller);

      const stopped = { progress: null, message: statusReason, job_id: null };
      assert.deepEqual(body.upgrade, { version: k3s.version, status: 'FAILED', ...stopped });
      const back = await upgrade(api, cluster.id, caller, { version: 'v1.35.6+k3s1' });
      assert.equal(back.status, 400);
      assert.equal((await upgrade(api, cluster.id, caller)).status, 202);
    });

    it('starts a job also for the release that the cluster has', async () => {
      const { api, caller, cluster } = await started();

      const { status, body } = await upgrade(api, cluster.id, caller, { version: OLD });

      assert.deepEqual([status, body.upgrade?.version, body.upgrade?.status], [202, OLD, 'UPGRADING']);
    });

    it('is 400 for that release while nodes may have a newer one', async () => {
      const { api, caller, cluster } = await started({ upgrade: { version: k3s.version } });

      assert.equal((await upgrade(api, cluster.id, caller, { version: OLD })).status, 400);
    });

    for (const version of ['v1.35.2+k3s1', 'v1.35.9+k3s1', 'v1.37.0+k3s1']) {
      it(`is 400 with the possible releases for ${version}`, async () => {
        const { api, caller, cluster } = await started();

        const { status, body } = await upgrade(api, cluster.id, caller, { version });

        assert.deepEqual([status, body.errors?.[0]?.field], [400, 'body.version']);
        assert.match(body.detail, /The possible releases are v1\.35\.6\+k3s1, v1\.36\.1\+k3s1\./);
      });
    }

    for (const version of [undefined, 136, '', '1.36.1', 'v1.36.1', 'v1.36.1+k3s1; reboot']) {
      it(`is 400 for the release ${JSON.stringify(version)}`, async () => {
        const { api, caller, cluster } = await started();

        const { status, body } = await upgrade(api, cluster.id, caller, { version });

        assert.deepEqual([status, body.errors?.[0]?.field], [400, 'body.version']);
      });
    }

    it('is 409 while another operation is running, also for others', async () => {
      const { api, caller, cluster } = await started();
      await upgrade(api, cluster.id, caller);
      const jobId = await queuedJob(api, 'provisioning');

      const scale = await api.request<ErrorBody>('PATCH', `${path}/${cluster.id}/scale`, {
        as: caller,
        body: { agent_count: 3 },
      });
      for (const answer of [await upgrade(api, cluster.id, caller), scale]) {
        assert.deepEqual([answer.status, answer.body.code, answer.body.job_id], [409, 'conflict', jobId]);
      }
    });

    it('lets one of several begin that come at the same time', async () => {
      const { api, caller, cluster } = await started();

      const answers = await Promise.all([1, 2, 3].map(() => upgrade(api, cluster.id, caller)));

      assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409]);
    });

    for (const status of ['CREATING', 'ERROR', 'DELETED'] satisfies LiteClusterStatus[]) {
      it(`is 400 for a cluster that is ${status}`, async () => {
        const { api, caller, cluster } = await started({ status });

        const answer = await upgrade(api, cluster.id, caller);

        assert.deepEqual([answer.status, answer.body.code], [400, 'cluster_not_active']);
      });
    }

    it('is 404 for a missing cluster and one of another project', async () => {
      const { api, caller, cluster } = await started();
      const other = suite.cloud.validCaller(newCaller({ projectId: 'another-project' }));

      assert.equal((await upgrade(api, cluster.id, other)).status, 404);
      assert.equal((await upgrade(api, 'unknown', caller)).status, 404);
    });

    it('is cancelled by a deletion of the cluster', async () => {
      const { api, caller, cluster } = await started();
      await upgrade(api, cluster.id, caller);
      const jobId = await queuedJob(api, 'provisioning');

      await api.request('DELETE', `${path}/${cluster.id}`, { as: caller });

      const job = await readJob(api.context.redis.store, jobId);
      assert.equal(job?.cancelRequested, true);
      assert.equal((await read(api, cluster.id, caller)).body.upgrade, null);
    });
  });
});
