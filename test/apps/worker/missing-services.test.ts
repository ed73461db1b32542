import assert from 'node:assert/strict';
import type { MarkedResource } from '@gateway/inventory';
import { readQuotasInUse } from '@gateway/resources';
import { revokeAccess } from '../../../apps/worker/src/sagas/remove-leftover/revoke-access.ts';
import type { RemoveLeftoverStepContext } from '../../../apps/worker/src/sagas/remove-leftover/saga.ts';
import { takeSnapshotsSteps } from '../../../apps/worker/src/sagas/take-snapshots/index.ts';
import { workerClientWithout } from '../../packages/openstack/cloud.ts';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';

type SnapshotStepContext = Parameters<(typeof takeSnapshotsSteps)[0]['run']>[0];

const services = { sharedFs: true, container: true, containerInfra: true };

describe('what workers do in a cloud without some services', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  it('counts no volumes and no file storages', async () => {
    const points: Record<string, object> = {};
    const client = workerClientWithout('blockStorage', 'sharedFileSystem');
    upstream.reply('compute/servers', { path: /\/servers\/detail\?/, body: { servers: [] } });
    for (const list of ['networks', 'routers', 'floatingips'])
      upstream.reply('network/networks', { path: new RegExp(`/${list}\\?`), body: { [list]: [] } });

    const context = {
      hour: Date.now(),
      requestedAt: async () => Date.now(),
      config: { services },
      timeSeries: {
        has: async () => false,
        add: async (type: string, _: number, point: object) => {
          points[type] = point;
        },
      },
      service: async () => client,
      signal: new AbortController().signal,
    };
    const taken = await takeSnapshotsSteps[0]?.run(context as unknown as SnapshotStepContext);

    assert.deepEqual(taken, { isTaken: true });
    assert.deepEqual(points.volumes, { total: 0, available: 0, in_use: 0, error: 0, other: 0, total_gb: 0 });
    assert.deepEqual(points.file_storage, { total: 0, total_gb: 0 });
    assert.deepEqual(Object.keys(points).sort(), ['file_storage', 'instances', 'networks', 'volumes']);
    upstream.assertAllUsed();
  });

  it('removes a leftover port, which has access to no share', async () => {
    const client = workerClientWithout('sharedFileSystem');
    const context = { config: { services }, owner: () => client };
    const port = { jobId: 'job', projectId: 'project' } as MarkedResource;

    await revokeAccess(context as unknown as RemoveLeftoverStepContext, port);

    assert.deepEqual(upstream.calls, []);
  });

  it('misses no quotas of services that there are not', async () => {
    const openstack = workerClientWithout('blockStorage', 'loadBalancer', 'network', 'sharedFileSystem');
    upstream.reply('compute/quotas', { path: '/v2.1/os-quota-sets/p1/detail' });

    const { quotas, unavailable } = await readQuotasInUse('p1', {
      openstack,
      config: {
        gpu: { devices: [] },
        services,
        timeLimits: { dashboardPartSeconds: 60 },
      } as unknown as Parameters<typeof readQuotasInUse>[1]['config'],
      readGpuRecords: async () => ({ limits: {}, defaults: {}, reserved: [] }),
    });

    assert.deepEqual(unavailable, []);
    assert.deepEqual([...new Set(quotas.map(({ service }) => service))], ['compute']);
    upstream.assertAllUsed();
  });
});
