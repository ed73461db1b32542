import assert from 'node:assert/strict';
import type { ProjectUsage } from '@gateway/resources';
import { answers, snapshotOf, volumeOf } from '../../support/api/block-storage.ts';
import { computeAnswers, serverOf } from '../../support/api/compute.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

describe('the usage of projects', () => {
  const suite = apiSuite();
  const [plain, mixed] = [newCaller({ projectId: 'plain' }), newCaller({ projectId: 'mixed' })];

  function projectsAre(...ids: string[]): void {
    const projects = ids.map((id) => ({
      id,
      name: id,
      domain_id: 'default',
      enabled: true,
      description: '',
    }));
    suite.cloud.reply('identity/projects', { body: { projects } });
    for (const id of ids) {
      const quota = (limit: number, in_use: number) => ({ limit, in_use, reserved: 0 });
      computeAnswers(
        suite.cloud,
        `GET /os-quota-sets/${id}/detail`,
        { quota_set: { cores: quota(40, 1), ram: quota(8192, 512), instances: quota(10, 1) } },
        { times: id === 'mixed' ? 2 : 1 },
      );
      answers(
        suite.cloud,
        `GET /os-quota-sets/${id}?usage=true`,
        { quota_set: { gigabytes: quota(500, 10) } },
        { times: id === 'mixed' ? 2 : 1 },
      );
    }
  }

  it('is what the services count where rows can count in two ways', async () => {
    const api = await suite.start();
    projectsAre('plain', 'mixed');
    const server = (tenant_id: string, status: string) => serverOf({ tenant_id, status });
    const servers = [
      server('plain', 'ACTIVE'),
      server('mixed', 'ACTIVE'),
      server('mixed', 'SHELVED_OFFLOADED'),
    ];
    computeAnswers(suite.cloud, 'GET /servers/detail?all_tenants=1', { servers });
    const volumes = [volumeOf(plain, { size: 7 }), volumeOf(mixed, { size: 10 })];
    answers(suite.cloud, 'GET /volumes/detail?all_tenants=1', { volumes });
    const snapshots = [snapshotOf(mixed, { size: 10 })];
    answers(suite.cloud, 'GET /snapshots/detail?all_tenants=1', { snapshots });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

    const { body } = await api.get<ProjectUsage[]>('/api/admin/overview/projects', { as: admin });

    const figures = body.map(({ project_id, cpu, ram_mb, instances, disk_gb }) => [
      project_id,
      ...[cpu, ram_mb, instances, disk_gb].map(({ used }) => used),
    ]);
    const { vcpus, ram } = serverOf().flavor;
    assert.deepEqual(figures, [
      ['mixed', 1, 512, 1, 10],
      ['plain', vcpus, ram, 1, 7],
    ]);
    assert.deepEqual(body[0]?.disk_gb, { used: 10, quota: 500 });
  });
});
