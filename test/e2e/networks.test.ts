import assert from 'node:assert/strict';
import type { Network, NetworkDetail, Subnet, SubnetDetail } from '@gateway/resources';
import { NetworkProject } from '../support/projects/network-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const LIST = '/api/networks';

describe('networks', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let externalId: string;
  /** Of the administrator's project, for everybody. */
  let shared: { id: string; subnets: string[] };
  let server: Prepared | undefined;

  before(async () => {
    project = await NetworkProject.start();
    externalId = await project.externalNetworkId();
    const network = { name: `a-shared-${crypto.randomUUID()}`, shared: true };
    shared = await project.direct('POST', '/networks', { network }, project.admin);
    const subnet = { network_id: shared.id, cidr: '10.91.0.0/24', ip_version: 4 };
    const { id } = await project.direct<Subnet>('POST', '/subnets', { subnet }, project.admin);
    shared.subnets = [id];
  });

  after(async () => {
    await server?.remove();
    await project?.direct('DELETE', `/networks/${shared.id}`, undefined, project.admin);
    await project?.remove();
  });

  const get = async <T = NetworkDetail>(path: string) => (await project.ask<T>('GET', path)).body;
  const list = () => get<Network[]>(LIST);
  const projectName = async () => (await get<{ project_name: string }>('/api/auth/me')).project_name;

  it('are listed in the order own, shared, external', async () => {
    const [last, first] = [
      await project.make<Network>(LIST, { name: 'z-mine' }),
      await project.make<Network>(LIST, { name: 'b-mine' }),
    ];
    const rows = await list();

    assert.deepEqual(first, {
      id: first.id,
      name: 'b-mine',
      status: 'ACTIVE',
      admin_state_up: true,
      subnets: [],
      is_external: false,
      is_shared: false,
      project_id: project.id,
      project_name: await projectName(),
    });
    const ids = rows.map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 2), [first.id, last.id]);
    assert.ok(ids.indexOf(shared.id) > 1);
    assert.ok(ids.indexOf(shared.id) < ids.indexOf(externalId));
    assert.equal(rows.find(({ id }) => id === shared.id)?.is_shared, true);
    assert.equal(rows.find(({ id }) => id === externalId)?.is_external, true);
    await project.isUnlisted(LIST, first.id);
    await project.drop(`${LIST}/${last.id}`);
    await project.drop(`${LIST}/${first.id}`);
    assert.deepEqual(
      (await list()).filter(({ is_shared, is_external }) => !is_shared && !is_external),
      [],
    );
    assert.equal((await project.ask('DELETE', `${LIST}/${first.id}`)).status, 404);
  });

  it('show their subnets and routers', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.90.0.0/24');
    const body = { router: { name: 'way-out' } };
    const router = await project.direct<{ id: string }>('POST', '/routers', body);
    const interfaceOf = `/routers/${router.id}`;
    await project.direct('PUT', `${interfaceOf}/add_router_interface`, { subnet_id: subnetId });

    const detail = await get(`${LIST}/${networkId}`);

    assert.deepEqual(detail, {
      id: networkId,
      name: 'inside',
      status: 'ACTIVE',
      admin_state_up: true,
      subnets: [subnetId],
      is_external: false,
      is_shared: false,
      project_id: project.id,
      project_name: await projectName(),
      subnet_details: [
        {
          id: subnetId,
          name: 'inside',
          cidr: '10.90.0.0/24',
          gateway_ip: '10.90.0.1',
          dhcp_enabled: true,
          network_id: networkId,
          network_name: 'inside',
          ip_version: 4,
          allocation_pools: [{ start: '10.90.0.2', end: '10.90.0.254' }],
          dns_nameservers: [],
          host_routes: [],
          ipv6_address_mode: null,
          ipv6_ra_mode: null,
        },
      ],
      routers: [
        {
          id: router.id,
          name: 'way-out',
          status: 'ACTIVE',
          admin_state_up: true,
          project_id: project.id,
          project_name: await projectName(),
          external_gateway_network_id: null,
          external_gateway_network_name: null,
          connected_subnet_ids: [subnetId],
          connected_subnet_names: ['inside'],
        },
      ],
    });
    await project.refused(409, new RegExp(`router "way-out" \\(${router.id}\\), subnet "inside"`), [
      'DELETE',
      `${LIST}/${networkId}`,
    ]);
    await project.refused(409, /router "way-out"/, ['DELETE', `${LIST}/subnets/${subnetId}`]);
    await project.direct('PUT', `${interfaceOf}/remove_router_interface`, { subnet_id: subnetId });
    await project.direct('DELETE', interfaceOf);
    assert.deepEqual((await get(`${LIST}/${networkId}`)).routers, []);
  });

  it('of others are hidden even from administrators, or read-only', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.90.1.0/24');
    const subnet = { name: 's', cidr: '10.90.2.0/24' };
    await project.isHidden('GET', `${LIST}/${networkId}`);
    await project.isHidden('PUT', `${LIST}/${networkId}`, { name: 'x' });
    await project.isHidden('DELETE', `${LIST}/${networkId}`);
    await project.isHidden('POST', `${LIST}/${networkId}/subnets`, subnet);
    await project.isHidden('PUT', `${LIST}/subnets/${subnetId}`, { name: 'x' });
    await project.isHidden('DELETE', `${LIST}/subnets/${subnetId}`);

    const external = await get(`${LIST}/${externalId}`);
    assert.equal(external.is_external, true);
    // Newer network services show members the subnets of external networks.
    const seen = external.subnet_details.map(({ id }) => id);
    assert.deepEqual(seen, seen.length > 0 ? external.subnets : []);
    const visible = await get(`${LIST}/${shared.id}`);
    assert.deepEqual(
      visible.subnet_details.map(({ id }) => id),
      shared.subnets,
    );
    const other = /belongs to another project/;
    for (const id of [externalId, shared.id]) {
      await project.refused(403, other, ['PUT', `${LIST}/${id}`, { name: 'x' }]);
      await project.refused(403, other, ['DELETE', `${LIST}/${id}`]);
      await project.refused(403, other, ['POST', `${LIST}/${id}/subnets`, subnet]);
    }
    const sharedSubnet = `${LIST}/subnets/${shared.subnets[0]}`;
    await project.refused(403, other, ['PUT', sharedSubnet, { name: 'x' }]);
    await project.refused(403, other, ['DELETE', sharedSubnet]);
    const externalSubnet = `${LIST}/subnets/${external.subnets[0]}`;
    const hidden = /could not be found|no such subnet/;
    await project.refused(404, hidden, ['PUT', externalSubnet, { name: 'x' }]);
    await project.refused(404, hidden, ['DELETE', externalSubnet]);
    for (const method of ['GET', 'DELETE']) {
      await project.refused(404, /could not be found/, [method, `${LIST}/${crypto.randomUUID()}`]);
    }
  });

  it('are not deleted while in use, and the error names the device', async () => {
    const { networkId, subnetId } = await project.makeSubnet('10.90.3.0/24');
    const bare = await project.make<Network>(LIST, { name: 'bare' });
    const port = await project.makePort(networkId, { name: 'kept' });
    const loose = await project.makePort(bare.id);
    server = await project.makeServer(networkId);
    const users = new RegExp(`instance "beside-[\\w-]+" \\(${server.id}\\)`);

    for (const path of [`${LIST}/${networkId}`, `${LIST}/subnets/${subnetId}`]) {
      const { code, detail } = await project.refused(409, users, ['DELETE', path]);
      assert.equal(code, 'conflict');
      assert.match(detail, new RegExp(`port "kept" \\(${port}\\)`));
    }
    await project.refused(409, new RegExp(`first remove port ${loose}\\.`), ['DELETE', `${LIST}/${bare.id}`]);

    await server.remove();
    server = undefined;
    await project.direct('DELETE', `/ports/${port}`);
    await project.direct('DELETE', `/ports/${loose}`);
    await project.refused(409, new RegExp(`first remove subnet "inside" \\(${subnetId}\\)\\.`), [
      'DELETE',
      `${LIST}/${networkId}`,
    ]);
    await project.drop(`${LIST}/subnets/${subnetId}`);
    await project.drop(`${LIST}/${networkId}`);
    await project.drop(`${LIST}/${bare.id}`);
    assert.equal((await project.ask('GET', `${LIST}/${networkId}`)).status, 404);
    assert.equal((await project.ask('DELETE', `${LIST}/subnets/${subnetId}`)).status, 404);
  });

  it('can be renamed', async () => {
    const network = await project.make<Network>(LIST, { name: 'first-name' });
    const path = `${LIST}/${network.id}`;

    const { body } = await project.ask<Network>('PUT', path, { name: 'second-name' });

    assert.deepEqual(body, { ...network, name: 'second-name' });
    assert.deepEqual(
      (await list()).find(({ id }) => id === network.id),
      body,
    );
    await project.drop(path);
  });

  it('get subnets with ranges, name servers and routes', async () => {
    const { id } = await project.make<Network>(LIST, { name: 'options' });
    const subnets = `${LIST}/${id}/subnets`;
    const options = {
      allocation_pools: [{ start: '10.94.0.10', end: '10.94.0.20' }],
      dns_nameservers: ['192.0.2.53'],
      host_routes: [{ destination: '192.0.2.128/25', nexthop: '10.94.0.9' }],
    };
    const body = { name: 's', cidr: '10.94.0.0/24' };
    const { allocation_pools, dns_nameservers, host_routes, ...subnet } = await project.make<SubnetDetail>(
      subnets,
      { ...body, ...options },
    );
    const path = `${LIST}/subnets/${subnet.id}`;

    assert.deepEqual({ allocation_pools, dns_nameservers, host_routes }, options);
    const changes = {
      allocation_pools: [{ start: '10.94.0.100', end: '10.94.0.200' }],
      dns_nameservers: ['192.0.2.54', '192.0.2.53'],
      host_routes: [],
    };
    const changed = await project.ask<SubnetDetail>('PUT', path, changes);
    assert.deepEqual(changed.body, { ...subnet, ...changes });
    assert.deepEqual((await get(`${LIST}/${id}`)).subnet_details, [changed.body]);
    const port = await project.makePort(id);
    const made = await project.direct<{ fixed_ips: { ip_address: string }[] }>('GET', `/ports/${port}`);
    assert.match(made.fixed_ips[0]?.ip_address ?? '', /^10\.94\.0\.1\d\d$/);
    const overlap = [
      { start: '10.94.0.10', end: '10.94.0.20' },
      { start: '10.94.0.20', end: '10.94.0.30' },
    ];
    await project.refused(409, /verlap/, ['PUT', path, { allocation_pools: overlap }]);
    const around = [{ start: '10.94.0.1', end: '10.94.0.20' }];
    await project.refused(409, /conflicts with/, ['PUT', path, { allocation_pools: around }]);
    const many = Array.from({ length: 6 }, (_, index) => `192.0.2.${index + 1}`);
    await project.refused(400, /exceeds the limit/, ['PUT', path, { dns_nameservers: many }]);
    await project.direct('DELETE', `/ports/${port}`);
    await project.drop(path);
    await project.drop(`${LIST}/${id}`);
  });

  it('get subnets with the first gateway address, another or none', async () => {
    const { id } = await project.make<Network>(LIST, { name: 'subnets' });
    const subnets = `${LIST}/${id}/subnets`;
    const make = (body: object) => project.make<Subnet>(subnets, { name: 's', ...body });
    const first = await make({ cidr: '10.92.0.0/24' });
    const other = await make({ cidr: '10.92.1.0/24', gateway_ip: '10.92.1.254', enable_dhcp: false });
    const none = await make({ cidr: '10.92.2.0/24', gateway_ip: null });
    assert.deepEqual(
      [first, other, none].map(({ gateway_ip, dhcp_enabled }) => [gateway_ip, dhcp_enabled]),
      [
        ['10.92.0.1', true],
        ['10.92.1.254', false],
        [null, true],
      ],
    );
    assert.equal((await list()).find((row) => row.id === id)?.subnets.length, 3);

    const path = `${LIST}/subnets/${first.id}`;
    const change = async (body: object) => {
      const answer = await project.ask<Subnet>('PUT', path, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    assert.deepEqual(await change({}), first);
    const without = { ...first, name: 'renamed', gateway_ip: null, dhcp_enabled: false };
    assert.deepEqual(await change({ name: 'renamed', gateway_ip: null, enable_dhcp: false }), without);
    assert.deepEqual(await change({ gateway_ip: '10.92.0.1' }), { ...without, gateway_ip: '10.92.0.1' });
    assert.deepEqual(
      (await get(`${LIST}/${id}`)).subnet_details.find((row) => row.id === first.id),
      {
        ...without,
        gateway_ip: '10.92.0.1',
      },
    );
    assert.equal((await change({ gateway_ip: '10.93.0.1' })).gateway_ip, '10.93.0.1');
    const { errors } = await project.refused(400, /./, ['PUT', path, { gateway_ip: 'fe80::1' }]);
    assert.deepEqual(
      errors?.map(({ field }) => field),
      ['body.gateway_ip'],
    );
    await project.refused(409, /allocation pool/, ['PUT', path, { gateway_ip: '10.92.0.9' }]);
    const overlapping = { name: 's', cidr: '10.92.0.128/25' };
    await project.refused(400, /overlaps with another subnet/, ['POST', subnets, overlapping]);
    const last = { name: 's', cidr: '10.92.3.0/24', gateway_ip: '10.92.3.255' };
    await project.refused(400, /Gateway is not valid/, ['POST', subnets, last]);
    await project.refused(404, /could not be found/, ['PUT', `${LIST}/subnets/${id}`, { name: 's' }]);
  });

  it('and subnets beyond the quota are refused', async () => {
    const { id } = await project.make<Network>(LIST, { name: 'last' });
    const refused = await project.withoutQuota(['network', 'subnet'], async () => [
      await project.refused(409, /quota/, ['POST', LIST, { name: 'more' }]),
      await project.refused(409, /quota/, [
        'POST',
        `${LIST}/${id}/subnets`,
        { name: 's', cidr: '10.94.0.0/24' },
      ]),
    ]);
    assert.deepEqual(
      refused.map(({ code }) => code),
      ['quota_exceeded', 'quota_exceeded'],
    );
  });
});
