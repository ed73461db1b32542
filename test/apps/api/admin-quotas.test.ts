import assert from 'node:assert/strict';
import type { BlockStorageQuotas, ComputeQuotas } from '@gateway/openstack';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/upstream.ts';

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

  function reads(times = 1): void {
    suite.cloud
      .reply('identity/project', { path: `/v3/projects/${PROJECT}`, times })
      .reply('compute/quotas', { path: `${computePath}/detail`, body: { quota_set: compute }, times })
      .reply('block-storage/quotas', {
        path: `${storagePath}?usage=true`,
        body: { quota_set: storage },
        times,
      });
  }
  const setsCompute = (quota_set: Record<string, number | boolean>, options: object = {}) =>
    suite.cloud.reply('compute/quotas-update', {
      path: computePath,
      requestBody: { quota_set },
      ...options,
    });
  const setsStorage = (quota_set: Record<string, number | boolean>, options: object = {}) =>
    suite.cloud.reply('block-storage/quotas-update', {
      path: storagePath,
      requestBody: { quota_set },
      ...options,
    });

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
    });
  });

  it('is 404 for an unknown project, for which block storage would have default limits', async () => {
    const { get, put } = await start();
    suite.cloud.reply('identity/user-forbidden', {
      path: `/v3/projects/${PROJECT}`,
      status: 404,
      body: { error: { code: 404, message: 'Could not find project.', title: 'Not Found' } },
      times: 2,
    });

    assert.deepEqual([(await get()).status, (await put({ volumes: 1 })).status], [404, 404]);
  });

  it('sets only the limits that are named, at the services that have them', async () => {
    const { put } = await start();
    reads(3);
    setsCompute({ instances: 4, ram: -1 });
    setsStorage({ volumes: 2, gigabytes: 60 });
    setsCompute({ cores: 6 });

    for (const body of [
      { instances: 4, ram: -1, cores: null, volumes: 2, gigabytes: 60 },
      { cores: 6 },
      {},
    ]) {
      const answer = await put(body);
      assert.deepEqual([answer.status, answer.body], [200, { status: 'updated' }]);
    }
  });

  it('puts the limits of compute back if block storage refuses its own', async () => {
    const { put } = await start();
    reads();
    setsCompute({ instances: 5, cores: 7 });
    setsStorage({ volumes: 5 }, { status: 403, body: { forbidden: { code: 403, message: 'No.' } } });
    setsCompute({ instances: 10, cores: 20, force: true });

    assert.equal((await put({ instances: 5, cores: 7, volumes: 5 })).status, 403);
  });

  it('puts both back if block storage fails without saying whether it has changed them', async () => {
    const { put, api } = await start();
    reads();
    setsCompute({ ram: 8192 });
    setsStorage({ gigabytes: 70 }, { status: 500, body: {} });
    setsCompute({ ram: -1, force: true }, { status: 500, body: {} });
    setsStorage({ gigabytes: 1000 });

    assert.equal((await put({ ram: 8192, gigabytes: 70 })).status, 502);
    assert.match(api.log.text(), /Failed to put back a quota/);
  });

  it('changes nothing if compute refuses', async () => {
    const { put } = await start();
    reads();
    setsCompute({ instances: 5 }, { status: 400, body: { badRequest: { code: 400, message: 'No.' } } });

    assert.equal((await put({ instances: 5, volumes: 5 })).status, 400);
  });

  it('refuses limits below what is in use or reserved, before any change', async () => {
    const { put } = await start();
    reads();

    const answer = await put({ instances: 3, cores: 6, ram: -1, gigabytes: 49 });

    assert.deepEqual(
      [answer.status, answer.body.errors],
      [
        400,
        [
          { field: 'body.instances', message: 'must be at least 4, which are in use, or -1' },
          { field: 'body.gigabytes', message: 'must be at least 50, which are in use, or -1' },
        ],
      ],
    );
  });

  it('refuses limits that are none, before any call', async () => {
    const { put } = await start();
    for (const body of [{ instances: -2 }, { cores: 1.5 }, { ram: '1' }, { volumes: 2 ** 31 }]) {
      assert.equal((await put(body)).status, 400, JSON.stringify(body));
    }
  });
});
