import assert from 'node:assert/strict';
import type { CloudOverview, MonitoringSummary, ProjectUsage, ServiceStatus } from '@gateway/resources';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

/** Always on the simulated cloud, whose services can be unavailable, and which has containers. */
describe('an overview of the whole cloud while a service is unavailable', function () {
  this.timeout(120_000);
  let stack: Stack;
  let control: CloudsimControl;
  let admin: GatewayClient;

  before(async () => {
    stack = await startTestStack({
      ...simulatedCloud,
      workers: 0,
      config: { services: { container: true }, time_limits: { dashboard_part_seconds: 3 } },
    });
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
  });

  afterEach(() => control.clear());
  after(() => stack?.stop());

  const read = <T>(path: string) => admin.read<T>(`/api/admin${path}?refresh=true`);
  const isAway = (service: string) => control.addFault({ service, status: 503, times: 0 });

  it('has all figures but those of compute', async () => {
    const whole = await read<CloudOverview>('/overview');
    await isAway('compute');

    const { containers_count, file_storage_count, unavailable, ...rest } =
      await read<CloudOverview>('/overview');

    assert.deepEqual([whole.unavailable, unavailable], [[], ['compute']]);
    assert.deepEqual([containers_count, file_storage_count], [0, whole.file_storage_count]);
    assert.deepEqual([...new Set(Object.values(rest))], [null]);
    const summary = await read<MonitoringSummary>('/monitoring/summary');
    assert.deepEqual([summary.compute, summary.unavailable], [null, ['compute']]);
    assert.ok((summary.network?.network_count ?? 0) > 0);
  });

  it('lacks only what the placement service allows, or one count', async () => {
    const whole = await read<CloudOverview>('/overview');
    await isAway('placement');
    await isAway('container');

    const overview = await read<CloudOverview>('/overview');

    assert.ok(whole.vcpus);
    assert.deepEqual(overview, {
      ...whole,
      vcpus: { ...whole.vcpus, allowed: null },
      containers_count: null,
      unavailable: ['container', 'placement'],
    });
    const [host] = await admin.read<{ id: string }[]>('/api/admin/hypervisors');
    const detail = await admin.read<Record<string, unknown>>(`/api/admin/hypervisors/${host?.id}`);
    assert.deepEqual([detail.vcpus_allowed, detail.memory_allowed_mb], [null, null]);
    assert.equal(typeof detail.vcpus, 'number');
  });

  it('still has the usage of projects in the other services', async () => {
    await isAway('block-storage');

    const rows = await read<ProjectUsage[]>('/overview/projects');

    const demo = rows.find(({ project_name }) => project_name === 'demo');
    assert.deepEqual(demo?.disk_gb, { used: null, quota: null });
    assert.deepEqual([demo?.instances.used, demo?.instances.quota], [0, 500]);
    const { storage, unavailable } = await read<MonitoringSummary>('/monitoring/summary');
    assert.deepEqual([storage.volume_count, storage.total_gb, unavailable], [null, null, ['blockStorage']]);
    assert.equal(typeof storage.file_storage_count, 'number');
  });

  it('has the processes of all other services', async () => {
    await isAway('block-storage');
    await control.addFault({ service: 'network', operation: 'agents.list', status: 404, times: 0 });
    await control.addFault({ service: 'container-infra', operation: 'services.list', status: 403, times: 0 });

    const status = await read<ServiceStatus>('/services');

    assert.deepEqual(
      status.unavailable,
      ['blockStorage'],
      'a list that is kept from administrators is empty',
    );
    assert.deepEqual([status.block_storage, status.storage_pools, status.container_infra], [[], [], []]);
    assert.ok(status.compute.length > 0 && status.endpoints.length > 0);
    assert.deepEqual(
      status.container.map(({ binary, host, state, status: isOn, zone }) => [
        binary,
        host,
        state,
        isOn,
        zone,
      ]),
      [['zun-compute', 'compute-1', 'up', 'enabled', 'nova']],
    );
  });

  it('is complete again as soon as the service is back', async () => {
    await isAway('compute');
    await read<CloudOverview>('/overview');
    await control.clear();

    const overview = await eventually(async () => {
      const now = await admin.read<CloudOverview>('/api/admin/overview');
      return now.unavailable.length === 0 ? now : undefined;
    }, 10_000);

    assert.notEqual(overview.hypervisor_count, null);
  });

  it("reads each project's quotas once per cache lifetime", async () => {
    const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    const { projects } = await cloud.call<{ projects: unknown[] }>('identity', 'GET', '/projects');
    const callsOf = async (path: string) => {
      const requestId = `req-${crypto.randomUUID()}`;
      const answer = await admin.request('GET', `/api/admin/overview/projects${path}`, undefined, requestId);
      assert.equal(answer.status, 200, answer.text);
      const calls = (await control.calls(requestId)).map(({ operation }) => operation ?? '');
      const ofQuotas = calls.filter((operation) => operation.startsWith('quotas.'));
      return { quotas: ofQuotas.length, lists: calls.includes('volumes.list_detail') };
    };

    assert.deepEqual(await callsOf('?refresh=true'), { quotas: 2 * projects.length, lists: true });
    assert.deepEqual(await callsOf(''), { quotas: 0, lists: false });
    const made = await admin.request('POST', '/api/volumes', { name: 'used', size_gb: 1 });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(await callsOf(''), { quotas: 0, lists: true });
  });
});
