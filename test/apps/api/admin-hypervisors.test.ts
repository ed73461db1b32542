import assert from 'node:assert/strict';
import type { CloudOverview, Hypervisor, HypervisorDetail } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers, serverOf } from '../../support/api/compute.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const ID = '0a1b2c3d-0000-4000-8000-0000000000aa';
const FULL_ID = '0a1b2c3d-0000-4000-8000-0000000000bb';
const DOWN_ID = '0a1b2c3d-0000-4000-8000-0000000000cc';

/** As microversions since 2.88 show it: without figures. */
const BARE = {
  id: ID,
  hypervisor_hostname: 'node-1',
  state: 'up',
  status: 'enabled',
  hypervisor_type: 'QEMU',
  hypervisor_version: 8002000,
  host_ip: '192.0.2.7',
  service: { id: 'service-1', host: 'controller', disabled_reason: null },
};
const FIGURES = {
  vcpus: 8,
  vcpus_used: 3,
  memory_mb: 4096,
  memory_mb_used: 512,
  local_gb: 100,
  local_gb_used: 5,
  running_vms: 2,
};
const inventory = (total: number, reserved: number, allocation_ratio: number) => ({
  total,
  reserved,
  allocation_ratio,
});
const INVENTORIES = {
  VCPU: inventory(6, 1, 1.5),
  PCPU: inventory(2, 0, 1),
  MEMORY_MB: inventory(4096, 512, 1),
  DISK_GB: inventory(100, 0, 1),
};

describe('hypervisors', () => {
  const suite = apiSuite();
  const administrator = () => suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

  function placementAnswers(path: string, body: object, options: { status?: number } = {}): void {
    suite.cloud.reply('placement/candidates-1', { path, body, ...options });
  }

  /** Placement's answers about all hosts with anything left. */
  function candidatesAre(
    resources: Record<string, Record<string, { capacity: number; used: number }>>,
  ): void {
    const summaries = Object.entries(resources).map(([id, own]) => [
      id,
      { resources: own, traits: [], parent_provider_uuid: null, root_provider_uuid: id },
    ]);
    suite.cloud.reply('placement/candidates-1', {
      path: /\/allocation_candidates\?resources=/,
      body: { allocation_requests: [], provider_summaries: Object.fromEntries(summaries) },
      times: 3,
    });
  }

  const nothingIsShared = () =>
    placementAnswers('/resource_providers?required=MISC_SHARES_VIA_AGGREGATE', { resource_providers: [] });

  /** A host with dedicated processors alone, and one with shared ones. */
  function pinnedHosts(): void {
    const hypervisors = [
      { ...BARE, ...FIGURES, vcpus: 0, vcpus_used: 30 },
      { ...BARE, ...FIGURES, id: FULL_ID, hypervisor_hostname: 'node-2', vcpus: 32, vcpus_used: 4 },
    ];
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors });
    candidatesAre({
      [ID]: { PCPU: { capacity: 30, used: 30 }, MEMORY_MB: { capacity: 4096, used: 512 } },
      [FULL_ID]: { VCPU: { capacity: 128, used: 4 } },
    });
  }

  const providersAnswer = () => {
    placementAnswers(`/resource_providers/${ID}/inventories`, { inventories: INVENTORIES });
    placementAnswers(`/resource_providers/${ID}/usages`, { usages: { VCPU: 2, PCPU: 1, MEMORY_MB: 512 } });
  };

  it('get figures that the compute service lacks from their resource providers', async () => {
    const api = await suite.start();
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors: [BARE] });
    candidatesAre({ [ID]: {} });
    providersAnswer();

    const { body } = await api.get<Hypervisor[]>('/api/admin/hypervisors', { as: administrator() });

    const [{ vcpus, vcpus_used, memory_size_mb, memory_used_mb, local_disk_gb } = {} as Hypervisor] = body;
    assert.deepEqual(
      [vcpus, vcpus_used, memory_size_mb, memory_used_mb, local_disk_gb],
      [8, 3, 4096, 512, 100],
    );
  });

  it('have no figures if nothing has them', async () => {
    const api = await suite.start();
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors: [BARE] });
    candidatesAre({ [ID]: {} });
    const errors = [
      { status: 404, title: 'Not Found', detail: `No resource provider with uuid ${ID} found` },
    ];
    for (const part of ['inventories', 'usages']) {
      placementAnswers(`/resource_providers/${ID}/${part}`, { errors }, { status: 404 });
    }

    const { body, status } = await api.get<Hypervisor[]>('/api/admin/hypervisors', { as: administrator() });

    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ id, vcpus, memory_size_mb }) => ({ id, vcpus, memory_size_mb })),
      [{ id: ID, vcpus: 0, memory_size_mb: 0 }],
    );
  });

  it('in detail have only their own instances and their allowed amounts', async () => {
    const api = await suite.start();
    computeAnswers(suite.cloud, `GET /os-hypervisors/${ID}`, { hypervisor: { ...BARE, cpu_info: '' } });
    computeAnswers(suite.cloud, `GET /os-hypervisors/${ID}/uptime`, { badRequest: {} }, { status: 400 });
    const on = (id: string, host: string) => serverOf({ id, 'OS-EXT-SRV-ATTR:hypervisor_hostname': host });
    computeAnswers(suite.cloud, 'GET /servers/detail?all_tenants=1&host=controller', {
      servers: [on('mine', 'node-1'), on('elsewhere', 'node-2')],
    });
    providersAnswer();
    placementAnswers(`/resource_providers/${ID}/inventories`, { inventories: INVENTORIES });

    const { body } = await api.get<HypervisorDetail>(`/api/admin/hypervisors/${ID}`, { as: administrator() });

    assert.deepEqual(
      body.servers.map(({ id }) => id),
      ['mine'],
    );
    const { vcpus_allowed, memory_allowed_mb, uptime, cpu_info, running_vms } = body;
    assert.deepEqual(
      { vcpus_allowed, memory_allowed_mb, uptime, cpu_info, running_vms },
      { vcpus_allowed: 7 + 2, memory_allowed_mb: 3584, uptime: null, cpu_info: null, running_vms: 1 },
    );
  });

  it('are disabled with a reason, and enabled without', async () => {
    const api = await suite.start();
    const admin = administrator();
    const disabled = { status: 'disabled', disabled_reason: 'New memory' };
    const PATH = `/api/admin/hypervisors/${ID}`;
    const hypervisor = { ...BARE, ...FIGURES, state: 'down' };
    computeAnswers(suite.cloud, `GET /os-hypervisors/${ID}`, { hypervisor });
    const requestBody = disabled;
    computeAnswers(suite.cloud, 'PUT /os-services/service-1', { service: {} }, { requestBody });
    const service = { ...BARE.service, disabled_reason: 'New memory' };
    const after = { hypervisor: { ...hypervisor, status: 'disabled', service } };
    computeAnswers(suite.cloud, `GET /os-hypervisors/${ID}`, after);
    computeAnswers(suite.cloud, 'GET /servers/detail?all_tenants=1&host=controller', { servers: [] });
    placementAnswers(`/resource_providers/${ID}/inventories`, { inventories: INVENTORIES });

    const answer = await api.request<HypervisorDetail>('PUT', PATH, { as: admin, body: disabled });

    assert.deepEqual([answer.body.status, answer.body.disabled_reason], ['disabled', 'New memory']);
    for (const [body, field] of [
      [{ disabled_reason: 'x' }, 'disabled_reason'],
      [{ status: 'off' }, 'status'],
      [{ status: 'enabled', disabled_reason: 'x' }, 'disabled_reason'],
    ] as const) {
      const refused = await api.request<ErrorBody>('PUT', PATH, { as: admin, body });
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [400, `body.${field}`]);
    }
  });

  it('that are down are not asked for their uptime', async () => {
    const api = await suite.start();
    const down = { ...BARE, ...FIGURES, state: 'down', cpu_info: { arch: 'x86_64' } };
    computeAnswers(suite.cloud, `GET /os-hypervisors/${ID}`, { hypervisor: down });
    computeAnswers(suite.cloud, 'GET /servers/detail?all_tenants=1&host=controller', { servers: [] });
    placementAnswers(`/resource_providers/${ID}/inventories`, { inventories: INVENTORIES });

    const { body } = await api.get<HypervisorDetail>(`/api/admin/hypervisors/${ID}`, { as: administrator() });

    assert.deepEqual([body.state, body.uptime, body.cpu_info], ['down', null, { arch: 'x86_64' }]);
    // With the two that the inventory dedicates to single servers.
    assert.deepEqual([body.vcpus, body.running_vms], [8 + 2, 2]);
  });

  it('count processors that are dedicated to single instances', async () => {
    const api = await suite.start();
    const admin = administrator();
    pinnedHosts();
    const { body: rows } = await api.get<Hypervisor[]>('/api/admin/hypervisors', { as: admin });
    pinnedHosts();
    nothingIsShared();
    computeAnswers(suite.cloud, 'GET /servers/detail?all_tenants=1', { servers: [] });
    suite.cloud.reply('shared-file-system/shares', { path: /with_count/, body: { shares: [], count: 0 } });

    const { body: overview } = await api.get<CloudOverview>('/api/admin/overview', { as: admin });

    assert.deepEqual(
      rows.map(({ vcpus, vcpus_used }) => [vcpus_used, vcpus]),
      [
        [30, 30],
        [4, 32],
      ],
    );
    assert.deepEqual(overview.vcpus, { total: 62, allowed: 158, used: 34 });
  });

  it('count in the overview with what they use while disabled or down', async () => {
    const api = await suite.start();
    const hypervisors = [
      { ...BARE, ...FIGURES },
      { ...BARE, ...FIGURES, id: FULL_ID, status: 'disabled', vcpus_used: 5 },
      { ...BARE, ...FIGURES, id: DOWN_ID, state: 'down', vcpus_used: 1 },
    ];
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors });
    computeAnswers(suite.cloud, 'GET /servers/detail?all_tenants=1', { servers: [] });
    suite.cloud.reply('shared-file-system/shares', { path: /with_count/, body: { shares: [], count: 0 } });
    const free = { VCPU: { capacity: 32, used: 1 } };
    candidatesAre({ [ID]: free, [FULL_ID]: free, [DOWN_ID]: free });
    nothingIsShared();

    const { body } = await api.get<CloudOverview>('/api/admin/overview', { as: administrator() });

    assert.deepEqual(body.vcpus, { total: 3 * 8, allowed: 32 + 5 + 1, used: 3 + 5 + 1 });
  });

  it('are full with the processors of their inventory', async () => {
    const api = await suite.start();
    const hypervisor = { ...BARE, ...FIGURES, vcpus: 8, vcpus_used: 24 };
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors: [hypervisor] });
    candidatesAre({});
    const inventories = { VCPU: inventory(8, 0, 1), PCPU: inventory(16, 0, 1) };
    placementAnswers(`/resource_providers/${ID}/inventories`, { inventories });

    const { body } = await api.get<Hypervisor[]>('/api/admin/hypervisors', { as: administrator() });

    assert.deepEqual([body[0]?.vcpus_used, body[0]?.vcpus], [24, 24]);
  });

  it('keep the figures of the compute service while placement is unavailable', async () => {
    const api = await suite.start();
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors: [{ ...BARE, ...FIGURES }] });
    suite.cloud.reply('placement/candidates-1', {
      path: /\/allocation_candidates/,
      status: 403,
      body: {},
      times: 3,
    });

    const { status, body } = await api.get<Hypervisor[]>('/api/admin/hypervisors', { as: administrator() });

    assert.deepEqual([status, body[0]?.vcpus_used, body[0]?.vcpus], [200, 3, 8]);
  });

  for (const [what, settings, providers, total] of [
    ['of their own', {}, [], 100 + 100],
    ['that placement shares', {}, ['ceph'], 700],
    ['in one storage that only the operator knows', { instances: { disks_are_shared: true } }, [], 100],
  ] as const) {
    it(`have disks ${what}, each counted once`, async () => {
      const api = await suite.start({ settings });
      const hypervisors = [
        { ...BARE, ...FIGURES },
        { ...BARE, ...FIGURES, id: FULL_ID },
      ];
      computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors });
      candidatesAre({ [ID]: {}, [FULL_ID]: {} });
      const sharing = providers.map((uuid) => ({ uuid, name: uuid }));
      placementAnswers('/resource_providers?required=MISC_SHARES_VIA_AGGREGATE', {
        resource_providers: sharing,
      });
      for (const { uuid } of sharing) {
        placementAnswers(`/resource_providers/${uuid}/inventories`, {
          inventories: { DISK_GB: inventory(700, 0, 1) },
        });
        placementAnswers(`/resource_providers/${uuid}/aggregates`, { aggregates: ['one', 'two'] });
        const members = [...sharing, { uuid: ID }, { uuid: FULL_ID }, { uuid: 'elsewhere' }];
        placementAnswers('/resource_providers?member_of=in%3Aone%2Ctwo', { resource_providers: members });
      }
      computeAnswers(suite.cloud, 'GET /servers/detail?all_tenants=1', { servers: [] });
      suite.cloud.reply('shared-file-system/shares', { path: /with_count/, body: { shares: [], count: 0 } });

      const { body } = await api.get<CloudOverview>('/api/admin/overview', { as: administrator() });

      assert.deepEqual(body.disk_gb, { total, used: 10 });
    });
  }

  it('count in the overview with their allowed amounts, even when full', async () => {
    const api = await suite.start();
    const full = { ...BARE, ...FIGURES, id: FULL_ID, vcpus_used: 32 };
    const hypervisors = [{ ...BARE, ...FIGURES }, full];
    computeAnswers(suite.cloud, 'GET /os-hypervisors/detail', { hypervisors });
    const gpu = serverOf({
      status: 'PAUSED',
      flavor: { ...serverOf().flavor, extra_specs: { 'pci_passthrough:alias': 'a100:2' } },
    });
    computeAnswers(suite.cloud, 'GET /servers/detail?all_tenants=1', { servers: [gpu, serverOf()] });
    suite.cloud.reply('shared-file-system/shares', { path: /with_count/, body: { shares: [], count: 4 } });
    candidatesAre({ [ID]: { VCPU: { capacity: 16, used: 2 }, PCPU: { capacity: 2, used: 0 } } });
    placementAnswers(`/resource_providers/${FULL_ID}/inventories`, {
      inventories: { VCPU: inventory(8, 0, 4) },
    });
    nothingIsShared();

    const { body } = await api.get<CloudOverview>('/api/admin/overview', { as: administrator() });

    assert.deepEqual(body.vcpus, { total: 8 + 2 + 8, allowed: 18 + 32, used: 35 });
    assert.deepEqual([body.ram_gb, body.running_vms], [{ total: 8, used: 1 }, 4]);
    assert.deepEqual([body.gpu_instances, body.file_storage_count], [1, 4]);
    assert.deepEqual(body.instance_stats, { total: 2, active: 1, shutoff: 0, error: 0, other: 1 });
  });
});
