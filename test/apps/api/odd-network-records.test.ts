import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import {
  floatingIpOf,
  NETWORK_ID,
  networkAnswers,
  networkCalls,
  networkOf,
  portOf,
  routerOf,
  subnetOf,
} from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

type Row = Record<string, unknown>;
type Kind = 'networks' | 'routers' | 'ports' | 'floatingips' | 'security_groups' | 'subnets';
type Rows = Record<Kind, (caller: TestCaller) => Row>;

const SERVER = fixtureBody<{ id: string }[]>('compute/servers', 'servers')[0]?.id ?? '';

const plain: Rows = {
  networks: (caller) => ({ ...networkOf(caller, { id: 'network', dns_domain: 'example.org.' }) }),
  subnets: (caller) => ({ ...subnetOf(caller, { id: 'subnet', network_id: 'network' }) }),
  routers: (caller) => ({ ...routerOf(caller, { id: 'router' }) }),
  ports: (caller) => ({ ...portOf(caller, { id: 'port', device_id: SERVER, device_owner: 'compute:nova' }) }),
  floatingips: (caller) => ({ ...floatingIpOf(caller, { id: 'floating-ip' }) }),
  security_groups: ({ projectId }) => ({
    id: 'group',
    name: 'web',
    project_id: projectId,
    description: '',
    security_group_rules: [],
  }),
};

const networkLists = [
  '/api/networks',
  '/api/networks/topology',
  '/api/networks/dns',
  '/api/admin/all-networks',
  '/api/admin/topology',
];
const routerLists = [
  '/api/routers',
  '/api/networks/topology',
  '/api/admin/all-routers',
  '/api/admin/topology',
];
const portLists = ['/api/admin/all-ports', `/api/instances/${SERVER}/interfaces`];
const floatingIpLists = [
  '/api/networks/floating-ips',
  '/api/networks/topology',
  '/api/admin/all-floating-ips',
  '/api/admin/topology',
];

/** The fields of which a cloud with old rows, or with policies that hide fields, has sent null or nothing. */
const MET: [kind: Kind, field: string, lists: string[]][] = [
  ['networks', 'name', networkLists],
  ['networks', 'subnets', networkLists],
  ['networks', 'shared', networkLists],
  ['routers', 'name', routerLists],
  ['routers', 'project_id', routerLists],
  ['routers', 'external_gateway_info', routerLists],
  ['ports', 'fixed_ips', [...portLists, ...routerLists]],
  ['ports', 'device_owner', [...portLists, '/api/networks/topology', '/api/admin/topology']],
  ['ports', 'security_groups', [...portLists, `/api/instances/${SERVER}/security-groups`]],
  ['floatingips', 'port_details', floatingIpLists],
  ['floatingips', 'port_id', floatingIpLists],
  ['floatingips', 'project_id', floatingIpLists],
  ['security_groups', 'security_group_rules', ['/api/security-groups']],
  ['security_groups', 'name', ['/api/security-groups']],
  ['subnets', 'cidr', ['/api/networks/topology', '/api/admin/topology']],
];

describe('a list of the network service with odd rows', () => {
  const suite = apiSuite();

  function answer(caller: TestCaller, kind: Kind, field: string): void {
    const others = { times: 9, optional: true };
    for (const each of Object.keys(plain) as Kind[]) {
      const row = plain[each](caller);
      const { [field]: _, ...rest } = row;
      const odd = [
        { ...row, id: 'odd-null', [field]: null },
        { ...rest, id: 'odd-absent' },
        { ...row, id: 'odd-type', [field]: 7 },
      ];
      const path = new RegExp(`/v2\\.0/${each.replaceAll('_', '-')}(\\?|$)`);
      suite.cloud.reply('network/networks', {
        path,
        body: { [each]: each === kind ? [...odd, row] : [row] },
        ...others,
      });
    }
    suite.cloud.reply('compute/servers', { path: /\/servers\/detail/, ...others }).reply('compute/server', {
      path: new RegExp(`/servers/${SERVER}$`),
      body: {
        server: {
          ...fixtureBody<Row>('compute/server', 'server'),
          id: SERVER,
          tenant_id: caller.projectId,
        },
      },
      ...others,
    });
  }

  for (const [kind, field, lists] of MET) {
    it(`shows all ${kind} where some have no ${field}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      answer(caller, kind, field);

      for (const list of lists) {
        const { headers, status, text } = await api.get(list, { as: caller });

        assert.equal(status, 200, `${list} ${text}`);
        assert.equal(headers['x-incomplete'], undefined);
        if (kind === 'ports' && !portLists.includes(list)) continue;
        const ids = ['odd-null', 'odd-absent', String(plain[kind](caller).id)];
        for (const id of ids) assert.ok(text.includes(`"${id}"`), `${list} has no ${id}`);
      }
    });
  }
});

describe('a network service that names projects as tenants only', () => {
  const suite = apiSuite();
  const former = <Sent extends { project_id: string }>({ project_id, ...row }: Sent) => ({
    ...row,
    tenant_id: project_id,
  });

  it('shows the own networks, and the project of each in the topology', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const own = former(networkOf(caller, { id: 'own' }));
    const other = { ...own, id: 'other', tenant_id: 'f'.repeat(32) };
    const lists = { networks: [own, other], routers: [], subnets: [], floatingips: [], ports: [] };
    for (const [list, rows] of Object.entries(lists)) {
      suite.cloud.reply('network/networks', {
        path: new RegExp(`/v2\\.0/${list}(\\?|$)`),
        body: { [list]: rows },
        times: 9,
        optional: true,
      });
    }
    suite.cloud.reply('compute/servers', {
      path: /\/servers\/detail/,
      body: { servers: [] },
      optional: true,
    });

    const mine = await api.get<{ id: string }[]>('/api/networks', { as: caller });
    const all = await api.get<{ networks: { id: string; project_id: string }[] }>('/api/admin/topology', {
      as: caller,
    });

    assert.deepEqual(
      mine.body.map(({ id }) => id),
      ['own'],
    );
    assert.deepEqual(all.body.networks.map(({ id, project_id }) => [id, project_id]).sort(), [
      ['other', other.tenant_id],
      ['own', caller.projectId],
    ]);
    const asked = networkCalls(suite.cloud).filter((path) => path.includes('fields=project_id'));
    assert.ok(asked.every((path) => path.includes('fields=tenant_id')));
  });

  it('lets the owner of a floating IP release it', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    networkAnswers(suite.cloud, 'GET /floatingips/fip-1', {
      floatingip: former(floatingIpOf(caller, { port_id: null })),
    });
    networkAnswers(suite.cloud, 'DELETE /floatingips/fip-1', '', { status: 204, optional: true });

    const { status, text } = await api.request('DELETE', '/api/networks/floating-ips/fip-1', { as: caller });

    assert.ok(status < 300, text);
  });
});

describe('a resource of the network service whose record does not say', () => {
  const suite = apiSuite();

  it('whether it has a port, is not associated and not released', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { port_id: _, ...unsaid } = floatingIpOf(caller);
    networkAnswers(suite.cloud, 'GET /floatingips/fip-1', { floatingip: unsaid });

    const { body, status } = await api.post<ErrorBody>('/api/networks/floating-ips/fip-1/associate', {
      as: caller,
      body: { instance_id: SERVER },
    });

    assert.equal(status, 409, body.detail);
    assert.equal(networkCalls(suite.cloud).length, 1);
  });

  it('which network it is, takes addresses as the service does', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const subnet = { ...subnetOf(caller), cidr: null };
    const pools = { allocation_pools: [{ start: '192.0.2.2', end: '192.0.2.9' }] };
    networkAnswers(suite.cloud, 'GET /subnets/subnet-1', { subnet });
    networkAnswers(
      suite.cloud,
      `GET /networks/${NETWORK_ID}`,
      { network: networkOf(caller) },
      { optional: true },
    );
    networkAnswers(suite.cloud, 'PUT /subnets/subnet-1', { subnet }, { requestBody: { subnet: pools } });

    const { status, text } = await api.request('PUT', '/api/networks/subnets/subnet-1', {
      as: caller,
      body: pools,
    });

    assert.equal(status, 200, text);
  });
});
