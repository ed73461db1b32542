import assert from 'node:assert/strict';
import type {
  CloudOverview,
  CloudTopology,
  FloatingIp,
  Hypervisor,
  HypervisorDetail,
  InstanceDetail,
  MonitoringSummary,
  ProjectUsage,
  Router,
  ServiceStatus,
  Topology,
} from '@gateway/resources';
import { eventually } from '../support/eventually.ts';
import { NetworkProject } from '../support/projects/network-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';
import { withoutNames } from '../support/without-names.ts';

interface ComputeHost {
  id: string;
  hypervisor_hostname: string;
  state: string;
  status: string;
  vcpus: number;
  vcpus_used: number;
  memory_mb: number;
  memory_mb_used: number;
  local_gb: number;
  local_gb_used: number;
  running_vms: number;
  hypervisor_version: number;
  cpu_info: object;
}

interface Inventory {
  total: number;
  reserved: number;
  allocation_ratio: number;
}

const MISSING = '00000000-0000-4000-8000-000000000000';

describe('the overviews of the whole cloud', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let networkId: string;
  let server: Prepared;
  let instance: InstanceDetail;

  before(async () => {
    project = await NetworkProject.start();
    networkId = (await project.makeSubnet('10.95.0.0/24', 'overview')).networkId;
    server = await project.makeServer(networkId);
    instance = (await project.ask<InstanceDetail>('GET', `/api/instances/${server.id}`)).body;
  });

  after(async () => {
    await server?.remove();
    await project?.remove();
  });

  const ask = <T>(path: string) =>
    project.ask<T>('GET', `/api/admin${path}`, undefined, project.others.admin);

  const read = <T>(path: string) => project.read<T>(`/api/admin${path}`, project.others.admin);

  /** The hosts, as the compute service itself reports them. */
  async function hosts(): Promise<ComputeHost[]> {
    const path = '/os-hypervisors/detail';
    return (await project.admin.call<{ hypervisors: ComputeHost[] }>('compute', 'GET', path)).hypervisors;
  }

  /** The amount of a host's resource that may be allocated, from the placement service itself. */
  async function allowed(hostId: string, resource: string): Promise<number> {
    const path = `/resource_providers/${hostId}/inventories`;
    const answer = await project.admin.call<{ inventories: Record<string, Inventory> }>(
      'placement',
      'GET',
      path,
    );
    const { total, reserved, allocation_ratio } = answer.inventories[resource] as Inventory;
    return Math.floor((total - reserved) * allocation_ratio);
  }

  /** How many there are in all projects. */
  async function count(service: 'network' | 'compute' | 'volumev3', path: string): Promise<number> {
    const answer = await project.admin.call<Record<string, unknown[]>>(service, 'GET', path);
    return Object.values(answer).find(Array.isArray)?.length ?? 0;
  }

  const sum = (rows: readonly ComputeHost[], value: (row: ComputeHost) => number) =>
    rows.reduce((total, row) => total + value(row), 0);

  it('list the hosts with the figures of the compute service', async () => {
    const listed = await read<Hypervisor[]>('/hypervisors?refresh=true');

    const expected = (await hosts())
      .map((host) => ({
        id: host.id,
        name: host.hypervisor_hostname,
        state: host.state,
        status: host.status,
        hypervisor_type: 'fake',
        vcpus: host.vcpus,
        vcpus_used: host.vcpus_used,
        memory_size_mb: host.memory_mb,
        memory_used_mb: host.memory_mb_used,
        local_disk_gb: host.local_gb,
        local_disk_used_gb: host.local_gb_used,
        running_vms: host.running_vms,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(listed, expected);
    assert.ok(listed.some(({ name }) => name === 'compute-1'));
  });

  it("show a host's instances, and the placement service's allowed amounts", async () => {
    const name = await project.hostOf(server.id);
    const host = (await hosts()).find(({ hypervisor_hostname }) => hypervisor_hostname === name);
    assert.ok(host);

    const detail = await read<HypervisorDetail>(`/hypervisors/${host.id}`);

    const { uptime, servers, ...rest } = detail;
    const [row] = (await read<Hypervisor[]>('/hypervisors?refresh=true')).filter(({ id }) => id === host.id);
    assert.deepEqual(rest, {
      ...row,
      hypervisor_version: host.hypervisor_version,
      host_ip: '127.0.0.1',
      cpu_info: host.cpu_info,
      service_host: name,
      disabled_reason: null,
      vcpus_allowed: await allowed(host.id, 'VCPU'),
      memory_allowed_mb: await allowed(host.id, 'MEMORY_MB'),
    });
    assert.match(uptime ?? '', /^\d\d:\d\d:\d\d up /);
    assert.deepEqual(withoutNames(servers.find(({ id }) => id === server.id)), {
      id: server.id,
      name: instance.name,
      status: 'ACTIVE',
      project_id: project.id,
      flavor: instance.flavor_name,
    });
  });

  it('are 404 for a host that does not exist', async () => {
    for (const id of [MISSING, 'compute-1']) assert.equal((await ask(`/hypervisors/${id}`)).status, 404, id);
  });

  it('count instances and capacity as the services do', async () => {
    const overview = await read<CloudOverview>('/overview?refresh=true');

    const real = await hosts();
    const capacity = await Promise.all(real.map(({ id }) => allowed(id, 'VCPU')));
    const total = await count('compute', '/servers?all_tenants=1');
    assert.deepEqual(overview.vcpus, {
      total: sum(real, ({ vcpus }) => vcpus),
      allowed: capacity.reduce((all, one) => all + one, 0),
      used: sum(real, ({ vcpus_used }) => vcpus_used),
    });
    assert.deepEqual(overview.ram_gb, {
      total: sum(real, ({ memory_mb }) => memory_mb) / 1024,
      used: Math.round((sum(real, ({ memory_mb_used }) => memory_mb_used) / 1024) * 100) / 100,
    });
    assert.equal(
      overview.disk_gb?.total,
      sum(real, ({ local_gb }) => local_gb),
    );
    assert.equal(overview.hypervisor_count, real.length);
    assert.equal(
      overview.running_vms,
      sum(real, ({ running_vms }) => running_vms),
    );
    const { active = 0, shutoff = 0, error = 0, other = 0 } = overview.instance_stats ?? {};
    assert.deepEqual(overview.instance_stats?.total, total);
    assert.equal(active + shutoff + error + other, total);
    assert.ok(active >= 1);
    assert.deepEqual([overview.containers_count, overview.unavailable], [0, []]);
  });

  it("show each project's usage of its quotas", async () => {
    await project.make('/api/volumes', { name: 'used', size_gb: 2 });
    await project.admin.call('compute', 'PUT', `/os-quota-sets/${project.id}`, {
      quota_set: { cores: 33, instances: 7, ram: 5120 },
    });
    await project.admin.call('volumev3', 'PUT', `/os-quota-sets/${project.id}`, {
      quota_set: { gigabytes: 77 },
    });
    const rowOf = async (query: string) =>
      (await read<ProjectUsage[]>(`/overview/projects${query}`)).find(
        ({ project_id }) => project_id === project.id,
      );

    // The quotas of a thousand projects take longer than a response may: those that are missing follow.
    const isComplete = (row?: ProjectUsage) =>
      row !== undefined && ![row.cpu.quota, row.disk_gb.quota].includes(null);
    await rowOf('?refresh=true');
    const row = await eventually(async () => {
      const found = await rowOf('');
      return isComplete(found) ? found : undefined;
    });

    assert.deepEqual(row, {
      project_id: project.id,
      project_name: row?.project_name,
      cpu: { used: instance.vcpus, quota: 33 },
      ram_mb: { used: instance.ram, quota: 5120 },
      instances: { used: 1, quota: 7 },
      disk_gb: { used: 2, quota: 77 },
      gpu_instances: 0,
    });
    assert.match(row?.project_name ?? '', /^e2e-/);
    await project.admin.call('compute', 'PUT', `/os-quota-sets/${project.id}`, { quota_set: { cores: 34 } });
    assert.equal((await rowOf(''))?.cpu.quota, 33, 'quotas are remembered');
    await rowOf('?refresh=true');
    await eventually(async () => (await rowOf(''))?.cpu.quota === 34);
    await eventually(async () => {
      const { body: volumes } = await project.ask<{ id: string }[]>('GET', '/api/volumes?refresh=true');
      for (const { id } of volumes)
        await project.admin.call('volumev3', 'DELETE', `/volumes/${id}`, undefined, [400, 404]);
      return volumes.length === 0;
    });
  });

  it('sum up all services for monitoring', async () => {
    const { compute, containers, network, storage, unavailable } = await read<MonitoringSummary>(
      '/monitoring/summary?refresh=true',
    );

    const real = await hosts();
    const path = (kind: string) => `/v2.0/${kind}?fields=id`;
    assert.deepEqual(
      [compute?.hypervisors_total, compute?.hypervisors_up, compute?.vcpus_total],
      [real.length, real.length, sum(real, ({ vcpus }) => vcpus)],
    );
    assert.equal(compute?.instance_stats.total, await count('compute', '/servers?all_tenants=1'));
    assert.deepEqual(
      [network?.network_count, network?.router_count, network?.floating_ip_count, network?.port_count],
      [
        await count('network', path('networks')),
        await count('network', path('routers')),
        await count('network', path('floatingips')),
        await count('network', path('ports')),
      ],
    );
    const statuses = Object.values(storage.volume_by_status ?? {});
    assert.equal(
      statuses.reduce((total, one) => total + one, 0),
      storage.volume_count,
    );
    assert.equal(storage.volume_count, await count('volumev3', '/volumes?all_tenants=1'));
    assert.deepEqual([containers.container_count, containers.lite_count, unavailable], [0, 0, []]);
  });

  it('list the processes of the services, their addresses and the storage pools', async () => {
    const status = await read<ServiceStatus>('/services?refresh=true');

    const binaries = (rows: { binary: string; state: string }[]) =>
      [...new Set(rows.map(({ binary, state }) => `${binary} ${state}`))].sort();
    assert.deepEqual(binaries(status.compute), ['nova-compute up', 'nova-conductor up', 'nova-scheduler up']);
    assert.deepEqual(binaries(status.block_storage), [
      'cinder-backup up',
      'cinder-scheduler up',
      'cinder-volume up',
    ]);
    assert.deepEqual(binaries(status.shared_file_system), [
      'manila-data up',
      'manila-scheduler up',
      'manila-share up',
    ]);
    assert.deepEqual([status.network, status.orchestration, status.container], [[], [], []]);
    assert.deepEqual(binaries(status.container_infra), ['magnum-conductor up']);
    assert.ok(status.compute.every(({ updated_at, id }) => updated_at !== null && id !== null));
    const nova = status.endpoints.find(({ service }) => service === 'compute');
    assert.deepEqual([nova?.name, nova?.region], ['nova', 'RegionOne']);
    assert.match(nova?.endpoints.public ?? '', /\/v2\.1$/);
    assert.deepEqual(status.storage_pools, [
      {
        name: 'storage-1@sparse#sparse',
        volume_backend_name: 'sparse',
        driver_version: '1.0.0',
        storage_protocol: 'local',
        vendor_name: 'Test cloud',
        total_capacity_gb: 51200,
        free_capacity_gb: status.storage_pools[0]?.free_capacity_gb,
        allocated_capacity_gb: status.storage_pools[0]?.allocated_capacity_gb,
      },
    ]);
    assert.deepEqual(status.unavailable, []);
  });

  it('draw the networks of all projects as each project sees its own', async () => {
    const external_network_id = await project.externalNetworkId();
    const router = await project.make<Router>('/api/routers', { name: 'drawn', external_network_id });
    const floating = await project.make<FloatingIp>('/api/networks/floating-ips', {
      floating_network_id: external_network_id,
    });

    const all = await read<CloudTopology>('/topology?refresh=true');

    const { body: own } = await project.ask<Topology>('GET', '/api/networks/topology?refresh=true');
    const idsOf = ({ networks, routers, instances, floating_ips }: Topology) =>
      [networks, routers, instances, floating_ips].map((rows) => rows.map(({ id }) => id));
    const [, routers = [], instances = [], floatingIps = []] = idsOf(all);
    assert.ok(routers.includes(router.id) && floatingIps.includes(floating.id));
    assert.ok(instances.includes(server.id));
    const withProject = <T extends object>(row: T | undefined) => ({
      ...withoutNames(row),
      project_id: project.id,
    });
    assert.deepEqual(
      withoutNames(all.networks.find(({ id }) => id === networkId)),
      withProject(own.networks.find(({ id }) => id === networkId)),
    );
    assert.deepEqual(
      withoutNames(all.instances.find(({ id }) => id === server.id)),
      withProject(own.instances.find(({ id }) => id === server.id)),
    );
    for (const kind of ['routers', 'floating_ips'] as const) {
      for (const row of own[kind]) {
        assert.deepEqual(withoutNames(all[kind].find(({ id }) => id === row.id)), withoutNames(row));
      }
    }
    const demo = all.networks.find(({ name }) => name === 'demo-net');
    assert.equal(demo?.subnet_details[0]?.cidr, '10.10.0.0/24');
  });
});
