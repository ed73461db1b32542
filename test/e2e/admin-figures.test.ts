import assert from 'node:assert/strict';
import type { AdminQuotas, DashboardSummary, ProjectUsage } from '@gateway/resources';
import { eventually } from '../support/eventually.ts';
import { BlockStorageProject } from '../support/projects/block-storage-project.ts';

type Quotas = Record<string, { limit: number; in_use: number }>;

describe("a project's figures", function () {
  this.timeout(300_000);
  let project: BlockStorageProject;
  let volumeId: string;
  let snapshotId: string;

  before(async () => {
    project = await BlockStorageProject.start();
    volumeId = await project.makeVolume(2);
    const { body } = await project.ask<{ id: string }>('POST', '/api/volume-snapshots', {
      volume_id: volumeId,
      name: 'counted',
    });
    snapshotId = body.id;
    await project.becomes(`/api/volume-snapshots/${snapshotId}`, 'available');
  });

  after(async () => {
    await project.ask('DELETE', `/api/volume-snapshots/${snapshotId}`);
    await project.isGone(`/api/volume-snapshots/${snapshotId}`);
    await project.ask('DELETE', `/api/volumes/${volumeId}`);
    await project.isGone(`/api/volumes/${volumeId}`);
    await project.removeEmpty();
  });

  const read = <T>(path: string, who = project.others.admin) => project.read<T>(path, who);

  const own = async (service: 'compute' | 'volumev3', path: string) =>
    (await project.admin.call<{ quota_set: Quotas }>(service, 'GET', path)).quota_set;

  it('are the same for administrators, for the project and in the service', async () => {
    const { gigabytes } = await own('volumev3', `/os-quota-sets/${project.id}?usage=true`);
    assert.equal(gigabytes?.in_use, 4, 'block storage counts the snapshot here');

    const { storage } = await read<DashboardSummary>('/api/dashboard/summary', project.mine);
    const row = await eventually(async () => {
      const rows = await read<ProjectUsage[]>('/api/admin/overview/projects?refresh=true');
      const found = rows.find(({ project_id }) => project_id === project.id);
      return found?.disk_gb.quota === null ? undefined : found;
    });

    assert.equal(storage?.gigabytes.in_use, gigabytes.in_use);
    assert.deepEqual(row?.disk_gb, { used: gigabytes.in_use, quota: gigabytes.limit });
  });

  it('are those of the services in the list of quotas', async () => {
    const { compute, volume } = await read<AdminQuotas>(`/api/admin/quotas/${project.id}`);

    const volumes = await own('volumev3', `/os-quota-sets/${project.id}?usage=true`);
    const servers = await own('compute', `/os-quota-sets/${project.id}/detail`);
    const figures = ({ limit, in_use }: Quotas[string] = assert.fail()) => ({ limit, in_use });
    assert.deepEqual(volume, {
      volumes: figures(volumes.volumes),
      gigabytes: figures(volumes.gigabytes),
    });
    assert.deepEqual(compute, {
      instances: figures(servers.instances),
      cores: figures(servers.cores),
      ram: figures(servers.ram),
    });
  });
});
