import assert from 'node:assert/strict';
import { readQueued } from '@gateway/jobs';
import type { BlockStorageQuotas, ComputeQuotas } from '@gateway/openstack';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { claimJob, queuedJob } from '../../support/api/jobs.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const PROJECT = 'e'.repeat(32);
const QUOTAS = `/api/admin/quotas/${PROJECT}`;
const computePath = `/v2.1/os-quota-sets/${PROJECT}`;
const storagePath = `/v3/${newCaller().projectId}/os-quota-sets/${PROJECT}`;

const usage = (limit: number, in_use = 0, reserved = 0) => ({ limit, in_use, reserved });
const compute: ComputeQuotas = {
  ...fixtureBody<ComputeQuotas>('compute/quotas', 'quota_set'),
  instances: usage(10, 3, 1),
  cores: usage(20, 6),
  ram: usage(-1, 4096),
};
const storage: BlockStorageQuotas = {
  ...fixtureBody<BlockStorageQuotas>('block-storage/quotas', 'quota_set'),
  volumes: usage(10, 2),
  gigabytes: usage(1000, 50),
};

describe('/api/admin/quotas/{project_id}', () => {
  const suite = apiSuite();

  function reads(): void {
    suite.cloud
      .reply('identity/project', { path: `/v3/projects/${PROJECT}` })
      .reply('compute/quotas', { path: `${computePath}/detail`, body: { quota_set: compute } })
      .reply('block-storage/quotas', {
        path: `${storagePath}?usage=true`,
        body: { quota_set: storage },
      });
    for (const [fixture, path] of [
      ['network/quota-details', `/v2.0/quotas/${PROJECT}/details.json`],
      ['shared-file-system/limits', `/v2/quota-sets/${PROJECT}/detail`],
      ['load-balancer/load-balancers', `/v2.0/lbaas/quotas/${PROJECT}`],
    ] as const) {
      suite.cloud.reply(fixture, { path, status: 403, body: {} });
    }
    for (const list of ['loadbalancers', 'listeners', 'pools', 'healthmonitors']) {
      const path = new RegExp(`/lbaas/${list}\\?`);
      suite.cloud.reply('load-balancer/load-balancers', { path, body: { [list]: [] } });
    }
  }

  async function start() {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    return {
      api,
      get: () => api.get(QUOTAS, { as: admin }),
      put: (body: object) => api.request<ErrorBody>('PUT', QUOTAS, { as: admin, body }),
    };
  }

  it('shows limits and what is in use', async () => {
    const { get } = await start();
    reads();

    assert.deepEqual((await get()).body, {
      compute: {
        instances: { limit: 10, in_use: 3 },
        cores: { limit: 20, in_use: 6 },
        ram: { limit: -1, in_use: 4096 },
      },
      volume: { volumes: { limit: 10, in_use: 2 }, gigabytes: { limit: 1000, in_use: 50 } },
      network: null,
      file_storage: null,
      load_balancer: null,
      unavailable: ['loadBalancer', 'network', 'sharedFileSystem'],
    });
  });

  it("is 404 for an unknown project, despite block storage's default limits", async () => {
    const { get } = await start();
    suite.cloud.reply('identity/user-forbidden', {
      path: `/v3/projects/${PROJECT}`,
      status: 404,
      body: { error: { code: 404, message: 'Could not find project.', title: 'Not Found' } },
    });

    assert.equal((await get()).status, 404);
  });

  it('starts a job with the given limits, and responds after its end', async () => {
    const { api, put } = await start();
    const answered = put({ instances: 4, ram: -1, cores: null });
    const jobId = await queuedJob(api, 'cleanup');
    const queued = await readQueued(api.context.redis.store, jobId);
    assert.deepEqual(queued?.payload, { quotaProjectId: PROJECT, limits: { instances: 4, ram: -1 } });
    const log = await claimJob(api, jobId);

    await log.end({ step: 'COMPLETED', progress: 100, message: 'Done.' }, { status: 'completed' });

    const answer = await answered;
    assert.deepEqual([answer.status, answer.body], [200, { status: 'updated' }]);
  });

  it('answers with the failure of the job, and its id', async () => {
    const { api, put } = await start();
    const answered = put({ instances: 1 });
    const jobId = await queuedJob(api, 'cleanup');
    const log = await claimJob(api, jobId);
    const errors = [{ field: 'body.instances', message: 'must be at least 4, which are in use, or -1' }];
    const failure = { status: 400, code: 'invalid_input', detail: 'The quotas cannot be changed.', errors };

    await log.end({ step: 'FAILED', progress: -1, message: 'No.' }, { status: 'failed', failure });

    const { status, body } = await answered;
    assert.deepEqual([status, body.code, body.errors, body.job_id], [400, 'invalid_input', errors, jobId]);
  });

  it('refuses limits that are none, before any call', async () => {
    const { put } = await start();
    for (const body of [{ instances: -2 }, { cores: 1.5 }, { ram: '1' }, { volumes: 2 ** 31 }]) {
      assert.equal((await put(body)).status, 400, JSON.stringify(body));
    }
  });
});
