import assert from 'node:assert/strict';
import type { DashboardSummary, FileStorage, Instance, UserDashboard, Volume } from '@gateway/views';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/cloud-client.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayClient, messagesOf } from '../support/gateway-client.ts';
import { type Prepared, prepareRole } from '../support/prepared-cloud.ts';
import { startTestStack, testLogin } from '../support/test-stack.ts';

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
    await eventually(async () => ((await demo.request('GET', path)).status === 404 ? true : undefined));
  }

  it('show what was just created: the project to all members, and to each user their own', async () => {
    const request = await demo.smallInstanceRequest('e2e-dashboard');
    const before = await demo.read<DashboardSummary>('/api/dashboard/summary');
    const beforeMine = await demo.read<UserDashboard>('/api/user-dashboard');
    const beforeTheirs = await colleague.read<UserDashboard>('/api/user-dashboard');
    const last = (await messagesOf(await demo.createInstance(request))).at(-1);
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
      await eventually(async () =>
        (await demo.read<{ status: string }>(path)).status === 'available' ? true : undefined,
      );
    }

    const summary = await demo.read<DashboardSummary>('/api/dashboard/summary');
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
    await gone(`/api/file-storage/${share.id}`);
    await eventually(async () => {
      const after = await demo.read<UserDashboard>('/api/user-dashboard');
      assert.deepEqual(after.summary, beforeMine.summary);
      return true;
    });
  });

  it('carry an entity tag, with which a reader learns that nothing has changed', async () => {
    for (const path of ['/api/dashboard/summary', '/api/user-dashboard']) {
      const first = await demo.request('GET', path);
      const response = await fetch(`${stack.url}${path}`, {
        headers: { ...demo.headers(), 'if-none-match': first.headers.get('etag') ?? '' },
      });
      assert.equal(response.status, 304, path);
    }
  });
});
