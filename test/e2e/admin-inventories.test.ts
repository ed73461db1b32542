import assert from 'node:assert/strict';
import type {
  AdminInstance,
  AdminVolume,
  FileStorage,
  FloatingIp,
  InstanceDetail,
  Network,
  Port,
  Router,
} from '@gateway/resources';
import { eventually } from '../support/eventually.ts';
import { NetworkProject } from '../support/projects/network-project.ts';
import { type Prepared, preparePrebuiltShare } from '../support/projects/prepared-cloud.ts';
import { withoutNames } from '../support/without-names.ts';

interface Page<T> {
  items: T[];
  next_marker: string | null;
  count: number;
}

const MISSING = '00000000-0000-4000-8000-000000000000';

describe('the inventories of all projects', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  const prepared: Prepared[] = [];

  before(async () => {
    project = await NetworkProject.start();
  });

  after(async () => {
    for (const { remove } of prepared.reverse()) await remove();
    await project?.remove();
  });

  const read = <T>(path: string) => project.read<T>(`/api/admin${path}`, project.others.admin);

  async function projectName(): Promise<string> {
    const path = `/projects/${project.id}`;
    const { project: found } = await project.admin.call<{ project: { name: string } }>(
      'identity',
      'GET',
      path,
    );
    return found.name;
  }

  const rowIn = async <T extends { id: string }>(path: string, id: string) =>
    (await read<T[]>(path)).find((row) => row.id === id);

  /** Reads all pages, and checks the length of each. */
  async function walk<T extends { id: string }>(path: string, limit: number): Promise<T[]> {
    const rows: T[] = [];
    for (let marker: string | null = ''; marker !== null; ) {
      const page: Page<T> = await read(`${path}?limit=${limit}${marker === '' ? '' : `&marker=${marker}`}`);
      assert.equal(page.count, page.items.length);
      if (page.next_marker !== null) {
        assert.equal(page.count, limit);
        assert.equal(page.next_marker, page.items.at(-1)?.id);
      }
      rows.push(...page.items);
      marker = page.next_marker;
    }
    return rows;
  }

  it('page through instances in a stable order during creations', async () => {
    const [first, second] = [await project.makeServer(), await project.makeServer()];
    prepared.push(first, second);
    const ofProject = `/all-instances?project_id=${project.id}`;

    const newest = await read<Page<AdminInstance>>(`${ofProject}&limit=1`);
    const third = await project.makeServer();
    prepared.push(third);
    const next = await read<Page<AdminInstance>>(`${ofProject}&limit=1&marker=${newest.next_marker}`);

    const summary = ({ items, ...page }: Page<AdminInstance>) => ({
      ...page,
      ids: items.map(({ id }) => id),
    });
    assert.deepEqual(summary(newest), { ids: [second.id], count: 1, next_marker: second.id });
    assert.deepEqual(summary(next), { ids: [first.id], count: 1, next_marker: null });
    const [row] = next.items;
    const detail = await project.ask<InstanceDetail>('GET', `/api/instances/${first.id}`);
    assert.deepEqual(row && withoutNames(row), {
      id: first.id,
      name: detail.body.name,
      status: 'ACTIVE',
      task_state: null,
      project_id: project.id,
      user_id: project.cloud.userId,
      flavor: detail.body.flavor_name,
      host: await project.hostOf(first.id),
      created_at: detail.body.created_at,
      fault: null,
    });
    const everywhere = await walk<AdminInstance>('/all-instances', 2);
    assert.deepEqual(
      everywhere.filter(({ project_id }) => project_id === project.id).map(({ id }) => id),
      [third.id, second.id, first.id],
    );
    assert.equal(new Set(everywhere.map(({ id }) => id)).size, everywhere.length);
  });

  it('link to instances of other projects as those see them', async () => {
    const { id } = prepared[0] ?? { id: '' };
    const own = await project.ask<InstanceDetail>('GET', `/api/instances/${id}`);
    const { host_status, ...detail } = await read<InstanceDetail>(`/instances/${id}`);

    assert.equal(detail.project_name, await projectName());
    assert.deepEqual(withoutNames({ ...detail, host_status: null }), withoutNames(own.body));
    assert.equal(host_status, 'UP');
    const missing = await project.ask(
      'GET',
      `/api/admin/instances/${MISSING}`,
      undefined,
      project.others.admin,
    );
    assert.equal(missing.status, 404);
  });

  it('page through the volumes of all projects', async () => {
    const names = ['one', 'two', 'three'];
    const made: AdminVolume[] = [];
    for (const name of names) made.push(await project.make('/api/volumes', { name, size_gb: 1 }));
    prepared.push(...made.map(({ id }) => volumeOf(id)));
    await eventually(async () => {
      const rows = await walk<AdminVolume>('/all-volumes', 2);
      const own = rows.filter(({ project_id }) => project_id === project.id);
      return own.filter(({ status }) => status === 'available').length === 3;
    });

    const ids = new Set(made.map(({ id }) => id));
    const own = (await walk<AdminVolume>('/all-volumes', 2)).filter(({ id }) => ids.has(id));

    const { id, created_at } = made[0] ?? {};
    assert.deepEqual(own.map(({ name }) => name).sort(), names.toSorted());
    // Newest first. The service keeps times by the second.
    const times = own.map((volume) => volume.created_at);
    assert.deepEqual(times, times.toSorted().reverse());
    assert.deepEqual(withoutNames(own.find((volume) => volume.id === id)), {
      id,
      name: 'one',
      status: 'available',
      size: 1,
      project_id: project.id,
      created_at,
    });
  });

  it('link to networks and volumes of other projects', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.97.0.0/24');
    const volume = await project.make<{ id: string }>('/api/volumes', { name: 'theirs', size_gb: 1 });
    prepared.push(volumeOf(volume.id));
    const owner = { project_id: project.id, project_name: await projectName() };
    interface Owned {
      id: string;
      project_id: string;
      project_name: string;
      subnet_details?: { id: string }[];
    }

    const found = await read<Owned>(`/networks/${networkId}`);
    const { id, project_id, project_name } = await read<Owned>(`/volumes/${volume.id}`);

    assert.deepEqual(
      [found.project_id, found.project_name, found.subnet_details?.map((subnet) => subnet.id)],
      [...Object.values(owner), [subnetId]],
    );
    assert.deepEqual({ id, project_id, project_name }, { id: volume.id, ...owner });
  });

  it('are 400 after an item that does not exist', async () => {
    for (const path of ['/api/admin/all-instances', '/api/admin/all-volumes']) {
      const { status, body } = await project.ask<{ errors: { field: string }[] }>(
        'GET',
        `${path}?marker=${MISSING}`,
        undefined,
        project.others.admin,
      );
      assert.deepEqual([status, body.errors[0]?.field], [400, 'query.marker'], path);
    }
  });

  it("have every project's networks, routers, floating IPs and ports", async () => {
    const external_network_id = await project.externalNetworkId();
    const { networkId, subnetId } = await project.makeSubnet('10.96.0.0/24', 'inventory');
    const router = await project.make<Router>('/api/routers', { name: 'inventory', external_network_id });
    const { port_id } = await project.make<{ id: string; port_id: string }>(
      `/api/routers/${router.id}/interfaces`,
      { subnet_id: subnetId },
    );
    const floating = await project.make<FloatingIp>('/api/networks/floating-ips', {
      floating_network_id: external_network_id,
    });
    const own = async <T extends { id: string }>(path: string, id: string) =>
      (await project.ask<T[]>('GET', path)).body.find((row) => row.id === id);

    const network = await rowIn<Network>('/all-networks', networkId);
    assert.deepEqual(withoutNames(network), {
      ...withoutNames(await own<Network>('/api/networks', networkId)),
      subnets: [subnetId],
      project_id: project.id,
    });
    const listed = await rowIn<Router>('/all-routers', router.id);
    assert.deepEqual(withoutNames(listed), withoutNames(await own('/api/routers', router.id)));
    assert.deepEqual(listed?.connected_subnet_ids, [subnetId]);
    assert.deepEqual(withoutNames(await rowIn('/all-floating-ips', floating.id)), withoutNames(floating));
    const { mac_address, ...port } = (await rowIn<Port>('/all-ports', port_id)) ?? { mac_address: '' };
    assert.match(mac_address, /^fa:16:3e:/);
    assert.deepEqual(withoutNames(port), {
      id: port_id,
      name: '',
      status: 'ACTIVE',
      network_id: networkId,
      device_owner: 'network:router_interface',
      device_id: router.id,
      fixed_ips: [{ subnet_id: subnetId, ip_address: '10.96.0.1' }],
      project_id: project.id,
    });
    const ofService = (await read<Port[]>('/all-ports')).find(({ project_id }) => project_id === null);
    assert.match(ofService?.device_owner ?? '', /^network:/);
  });

  it("drop a network after a member's write", async () => {
    const { id } = await project.make<Network>('/api/networks', { name: 'short-lived' });
    assert.equal((await rowIn<Network>('/all-networks', id))?.name, 'short-lived');

    await project.drop(`/api/networks/${id}`);

    assert.equal(await rowIn('/all-networks', id), undefined);
  });

  it('have every file storage, and apart those that are layers', async () => {
    const share = { name: 'plain', size_gb: 1, share_proto: 'NFS' };
    const plain = await project.make<FileStorage>('/api/file-storage', share);
    const layer = await preparePrebuiltShare(project.admin);
    prepared.push(layer, shareOf(plain.id));
    await eventually(async () => {
      const { body } = await project.ask<FileStorage>('GET', `/api/file-storage/${plain.id}`);
      return body.status === 'available';
    });

    const all = await read<FileStorage[]>('/all-file-storages?refresh=true');
    const layers = await read<FileStorage[]>('/file-storage');

    assert.deepEqual(
      withoutNames(all.find(({ id }) => id === plain.id)),
      withoutNames((await project.ask<FileStorage>('GET', `/api/file-storage/${plain.id}`)).body),
    );
    assert.deepEqual(
      layers.find(({ id }) => id === layer.id),
      all.find(({ id }) => id === layer.id),
    );
    assert.equal(layers.find(({ id }) => id === layer.id)?.project_id, project.admin.projectId);
    assert.equal(
      layers.some(({ id }) => id === plain.id),
      false,
    );
  });

  function volumeOf(id: string): Prepared {
    const remove = () => project.admin.call<void>('volumev3', 'DELETE', `/volumes/${id}`, undefined, [404]);
    return { id, remove };
  }

  function shareOf(id: string): Prepared {
    return { id, remove: () => project.admin.call('sharev2', 'DELETE', `/shares/${id}`, undefined, [404]) };
  }
});
