import assert from 'node:assert/strict';
import type {
  DashboardQuotas,
  DashboardSummary,
  FileStorage,
  GpuAvailability,
  Instance,
  Usage,
  UserDashboard,
  Volume,
} from '@gateway/resources';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, prepareRole } from '../support/projects/prepared-cloud.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

describe('dashboards', function () {
  this.timeout(300_000);
  let stack: Stack;
  let demo: GatewayClient;
  let colleague: GatewayClient;
  let role: Prepared;
  let cloud: CloudClient;

  before(async () => {
    stack = await startTestStack({
      config: { file_storage: { share_type: { nativefs: 'cephfs', nfs: 'default' } } },
    });
    const identityUrl = stack.identityUrl ?? '';
    const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    cloud = await CloudClient.logIn(identityUrl, testLogin('demo'));
    const alice = await CloudClient.logIn(identityUrl, testLogin('alice'));
    role = await prepareRole(admin, { userId: alice.userId, projectId: cloud.projectId, role: 'member' });
    demo = await GatewayClient.logIn(stack.url, testLogin('demo'));
    colleague = await GatewayClient.logIn(stack.url, {
      ...testLogin('alice'),
      projectName: testLogin('demo').projectName,
    });
  });

  after(async () => {
    await role?.remove();
    await stack?.stop();
  });

  async function gone(path: string): Promise<void> {
    await eventually(async () => (await demo.request('GET', path)).status === 404);
  }

  it("show new resources: the project's to members, and each user's own", async () => {
    const request = await demo.smallInstanceRequest('e2e-dashboard');
    const before = await demo.read<DashboardSummary>('/api/dashboard/summary');
    const beforeQuotas = await demo.read<DashboardQuotas>('/api/dashboard/quotas');
    const beforeMine = await demo.read<UserDashboard>('/api/user-dashboard');
    const beforeTheirs = await colleague.read<UserDashboard>('/api/user-dashboard');
    const last = (await demo.messagesOfCreation(request)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const instance = await demo.read<Instance>(`/api/instances/${last?.instance_id}`);
    const { body: volume } = await demo.request<Volume>('POST', '/api/volumes', {
      name: 'e2e-dashboard',
      size_gb: 1,
    });
    const { body: share } = await demo.request<FileStorage>('POST', '/api/file-storage', {
      name: 'e2e-dashboard',
      size_gb: 2,
    });
    for (const path of [`/api/volumes/${volume.id}`, `/api/file-storage/${share.id}`]) {
      await eventually(async () => (await demo.read<{ status: string }>(path)).status === 'available');
    }

    const summary = await demo.read<DashboardSummary>('/api/dashboard/summary');
    const quotas = await demo.read<DashboardQuotas>('/api/dashboard/quotas');
    const usage = await demo.read<Usage>('/api/dashboard/usage');
    const mine = await demo.read<UserDashboard>('/api/user-dashboard');
    const theirs = await colleague.read<UserDashboard>('/api/user-dashboard');

    assert.deepEqual([summary.unavailable, mine.unavailable], [[], []]);
    const added = (after?: number, earlier?: number) => (after ?? 0) - (earlier ?? 0);
    assert.deepEqual(
      [
        added(summary.instances?.total, before.instances?.total),
        added(summary.instances?.active, before.instances?.active),
        added(summary.compute?.instances.in_use, before.compute?.instances.in_use),
        added(summary.compute?.cores.in_use, before.compute?.cores.in_use),
        added(summary.storage?.gigabytes.in_use, before.storage?.gigabytes.in_use),
      ],
      [1, 1, 1, instance.vcpus, 2],
    );
    assert.deepEqual(quotas.unavailable, []);
    assert.deepEqual(
      [
        added(quotas.compute?.instances.in_use, beforeQuotas.compute?.instances.in_use),
        added(quotas.compute?.ram.in_use, beforeQuotas.compute?.ram.in_use),
        added(quotas.storage?.volumes.in_use, beforeQuotas.storage?.volumes.in_use),
        added(quotas.network?.ports.in_use, beforeQuotas.network?.ports.in_use),
        added(quotas.file_storage?.shares.in_use, beforeQuotas.file_storage?.shares.in_use),
        added(quotas.file_storage?.gigabytes.in_use, beforeQuotas.file_storage?.gigabytes.in_use),
      ],
      [1, instance.ram, 2, 1, 1, 2],
    );
    assert.deepEqual(quotas.compute?.cores, summary.compute?.cores);
    assert.deepEqual(quotas.storage?.gigabytes, summary.storage?.gigabytes);
    const used = usage.server_usages.find(({ instance_id }) => instance_id === instance.id);
    assert.deepEqual(
      [used?.name, used?.state, used?.vcpus, used?.memory_mb],
      [instance.name, 'active', instance.vcpus, instance.ram],
    );
    assert.equal(summary.gpu_used, before.gpu_used);
    assert.ok(mine.instances?.some(({ id }) => id === instance.id));
    assert.ok(mine.volumes?.some(({ id }) => id === volume.id));
    assert.ok(mine.file_storages?.some(({ id }) => id === share.id));
    assert.deepEqual(
      [
        added(mine.summary.instances?.total, beforeMine.summary.instances?.total),
        added(mine.summary.vcpus ?? 0, beforeMine.summary.vcpus ?? 0),
        added(mine.summary.ram ?? 0, beforeMine.summary.ram ?? 0),
        // With the boot volume of the instance.
        added(mine.summary.volumes?.total, beforeMine.summary.volumes?.total),
        added(mine.summary.volumes?.total_gb, beforeMine.summary.volumes?.total_gb),
        added(mine.summary.file_storages?.total_gb, beforeMine.summary.file_storages?.total_gb),
      ],
      [1, instance.vcpus, instance.ram, 2, 2, 2],
    );
    assert.equal(mine.summary.floating_ips, (await cloud.resourceIds()).floatingIps.length);
    assert.ok((mine.summary.networks ?? 0) >= 1);
    const rows = [...(mine.instances ?? []), ...(mine.volumes ?? []), ...(mine.file_storages ?? [])];
    assert.ok(rows.every((row) => row.user_id === cloud.userId));
    assert.deepEqual(theirs.instances, beforeTheirs.instances, "a colleague's own are as before");
    assert.deepEqual(theirs.volumes, beforeTheirs.volumes);
    assert.deepEqual(theirs.file_storages, beforeTheirs.file_storages);

    await demo.request('DELETE', `/api/instances/${instance.id}`);
    await demo.request('DELETE', `/api/volumes/${volume.id}`);
    await demo.request('DELETE', `/api/file-storage/${share.id}`);
    await gone(`/api/instances/${instance.id}`);
    await gone(`/api/volumes/${volume.id}`);
    const ended = (await demo.read<Usage>('/api/dashboard/usage')).server_usages.find(
      ({ instance_id }) => instance_id === instance.id,
    );
    assert.equal(ended?.state, 'terminated', 'the usage of a deleted instance remains');
    await gone(`/api/file-storage/${share.id}`);
    await eventually(async () => {
      const after = await demo.read<UserDashboard>('/api/user-dashboard');
      assert.deepEqual(after.summary, beforeMine.summary);
      return true;
    });
  });

  it('count key pairs of the reader, whose limit is for each user', async () => {
    const inUse = async (reader: GatewayClient) =>
      (await reader.read<DashboardQuotas>('/api/dashboard/quotas')).compute?.key_pairs.in_use ?? 0;
    const [mine, theirs] = await Promise.all([inUse(demo), inUse(colleague)]);
    const created = await demo.request('POST', '/api/keypairs', { name: 'e2e-dashboard' });
    try {
      assert.ok(created.status < 300, String(created.status));
      assert.deepEqual([await inUse(demo), await inUse(colleague)], [mine + 1, theirs]);
    } finally {
      await demo.request('DELETE', '/api/keypairs/e2e-dashboard');
    }
    assert.equal(await inUse(demo), mine);
  });

  it('show the quotas and the usage of one project only', async () => {
    const alone = await GatewayClient.logIn(stack.url, testLogin('alice'));

    const quotas = await alone.read<DashboardQuotas>('/api/dashboard/quotas');
    const usage = await alone.read<Usage>('/api/dashboard/usage');

    const ofDemo = await demo.read<Usage>('/api/dashboard/usage');
    const known = new Set(ofDemo.server_usages.map(({ instance_id }) => instance_id));
    assert.ok(known.size > 0);
    assert.ok(!usage.server_usages.some(({ instance_id }) => known.has(instance_id)));
    const instances = await alone.read<Instance[]>('/api/instances');
    assert.equal(quotas.compute?.instances.in_use, instances.length);
  });

  it('show the usage of a period', async () => {
    const past = await demo.read<Usage>('/api/dashboard/usage?start=2019-01-01&end=2019-01-31');
    assert.deepEqual([past.start, past.end], ['2019-01-01', '2019-01-31']);
    assert.deepEqual([past.total_hours, past.server_usages], [0, []]);
    const future = await demo.read<Usage>('/api/dashboard/usage?start=2999-01-01&end=2999-01-31');
    assert.deepEqual(future.server_usages, []);
    const today = new Date().toISOString().slice(0, 10);
    assert.equal((await demo.read<Usage>(`/api/dashboard/usage?start=${today}`)).start, today);
  });

  it("show the cloud's GPUs to members without access to hosts", async () => {
    const { gpu_types, summary } = await demo.read<GpuAvailability>('/api/dashboard/gpu-available');

    const a100 = gpu_types.find(({ device_name }) => device_name === 'A100');
    assert.deepEqual([a100?.vendor, a100?.total], ['NVIDIA', 8]);
    assert.equal(a100?.available, 8 - (a100?.used ?? 0));
    const totals = gpu_types.map(({ total }) => total);
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => b - a),
    );
    assert.equal(
      summary.total_gpus,
      totals.reduce((sum, total) => sum + total, 0),
    );
  });

  it('have an entity tag for unchanged responses', async () => {
    for (const path of [
      '/api/dashboard/summary',
      '/api/dashboard/quotas',
      '/api/dashboard/gpu-available',
      '/api/user-dashboard',
    ]) {
      const first = await demo.request('GET', path);
      const response = await fetch(`${stack.url}${path}`, {
        headers: { ...demo.headers(), 'if-none-match': first.headers.get('etag') ?? '' },
      });
      assert.equal(response.status, 304, path);
    }
  });
});
