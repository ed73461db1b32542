import assert from 'node:assert/strict';
import type { Network } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import {
  NETWORK_ID,
  networkAnswers,
  networkCalls,
  networkOf,
  networkRefuses,
  portOf,
  subnetOf,
} from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';

const NETWORK = `/api/networks/${NETWORK_ID}`;
const SUBNETS = `${NETWORK}/subnets`;
const POOL_FIELD = 'body.allocation_pools.0';
const POOL = { start: '10.0.0.10', end: '10.0.0.99' };
const POOL_OUTSIDE = { start: '10.0.0.2', end: '10.0.1.2' };
const HOST_ROUTES = 'body.host_routes';
const HOST_ROUTE = `${HOST_ROUTES}.0`;
const ROUTE = { destination: '10.1.0.0/16', nexthop: '10.0.0.9' };
const IN_USE = ['NetworkInUse', 'There are one or more ports still in use on the network.'] as [
  string,
  string,
];

const STALE = ['RevisionNumberConstraintFailed', 'Constrained to 7, but current revision is 8'] as [
  string,
  string,
];

describe('networks', () => {
  const suite = apiSuite();

  it('refuse input that no network can have, before any call', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const cidr = '10.0.0.0/24';
    const refused: [string, string, unknown, string][] = [
      ['POST', '/api/networks', {}, 'body.name'],
      ['POST', '/api/networks', { name: ' a' }, 'body.name'],
      ['POST', SUBNETS, { name: 's' }, 'body.cidr'],
      ['POST', SUBNETS, { name: 's', cidr: '10.0.0.0' }, 'body.cidr'],
      ['POST', SUBNETS, { name: 's', cidr: '10.0.0.0/33' }, 'body.cidr'],
      ['POST', SUBNETS, { name: 's', cidr: 'fd00::/129' }, 'body.cidr'],
      ['POST', SUBNETS, { name: 's', cidr: '010.0.0.0/24', allocation_pools: [POOL] }, 'body.cidr'],
      ['POST', SUBNETS, { name: 's', cidr: '::ffff:010.0.0.1/96', allocation_pools: [POOL] }, 'body.cidr'],
      ['POST', SUBNETS, { name: 's', cidr: 'v1.a/24', allocation_pools: [POOL] }, 'body.cidr'],
      ['POST', SUBNETS, { name: 's', cidr, gateway_ip: '10.0.0' }, 'body.gateway_ip'],
      ['POST', SUBNETS, { name: 's', cidr, gateway_ip: '10.0.0.01' }, 'body.gateway_ip'],
      ['POST', SUBNETS, { name: 's', cidr, gateway_ip: '10.0.0.0/24' }, 'body.gateway_ip'],
      ['POST', SUBNETS, { name: 's', cidr, gateway_ip: 'fd00::1' }, 'body.gateway_ip'],
      ['POST', SUBNETS, { name: 's', cidr: 'fd00::/64', gateway_ip: '10.0.0.1' }, 'body.gateway_ip'],
      ['POST', SUBNETS, { name: 's', cidr, enable_dhcp: 'true' }, 'body.enable_dhcp'],
      ['POST', SUBNETS, { name: 's', cidr, dns_nameservers: ['dns'] }, 'body.dns_nameservers.0'],
      ['POST', SUBNETS, { name: 's', cidr, dns_nameservers: ['fd00::53'] }, 'body.dns_nameservers.0'],
      ['POST', SUBNETS, { name: 's', cidr, allocation_pools: [{ start: '10.0.0.2' }] }, `${POOL_FIELD}.end`],
      ['POST', SUBNETS, { name: 's', cidr, allocation_pools: [POOL_OUTSIDE] }, `${POOL_FIELD}.end`],
      [
        'POST',
        SUBNETS,
        { name: 's', cidr, host_routes: [{ ...ROUTE, nexthop: 'fd00::1' }] },
        `${HOST_ROUTE}.nexthop`,
      ],
      [
        'POST',
        SUBNETS,
        { name: 's', cidr, host_routes: [{ ...ROUTE, destination: '10.1.0.0' }] },
        `${HOST_ROUTE}.destination`,
      ],
      ['POST', SUBNETS, { name: 's', cidr, host_routes: [ROUTE, ROUTE] }, `${HOST_ROUTES}.1`],
      ['PUT', NETWORK, { name: '' }, 'body.name'],
      ['PUT', '/api/networks/subnets/s', { enable_dhcp: 1 }, 'body.enable_dhcp'],
      ['PUT', '/api/networks/subnets/s', { gateway_ip: 'x' }, 'body.gateway_ip'],
      ['DELETE', '/api/networks/a%20b', undefined, 'path.network_id'],
    ];

    for (const [method, path, body, field] of refused) {
      const answer = await api.request<ErrorBody>(method, path, { as: caller, body });
      const fields = (answer.body.errors ?? []).map((error) => error.field);
      assert.deepEqual([answer.status, fields], [400, [field]], `${method} ${path} ${JSON.stringify(body)}`);
    }
    assert.deepEqual(networkCalls(suite.cloud), []);
  });

  it('leave the default gateway to the service, and set the IP version', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const bodies = [
      [
        { cidr: '10.0.0.0/24', gateway_ip: null },
        { ip_version: 4, enable_dhcp: true },
      ],
      [{ cidr: 'fd00::/64', enable_dhcp: false, gateway_ip: 'fd00::9' }, { ip_version: 6 }],
      [{ cidr: '10.0.0.0/24' }, { ip_version: 4, enable_dhcp: true }],
      [
        { cidr: '2001:db8:1::/64', gateway_ip: 'fe80::1' },
        { ip_version: 6, enable_dhcp: true },
      ],
      [
        { cidr: '2001:db8:1::/64', gateway_ip: '2001:db8:ffff::1' },
        { ip_version: 6, enable_dhcp: true },
      ],
      [
        { cidr: '10.0.0.0/24', gateway_ip: '192.0.2.1' },
        { ip_version: 4, enable_dhcp: true },
      ],
    ];
    for (const [body, sent] of bodies) {
      networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network: networkOf(caller) });
      const { projectId: project_id } = caller;
      const requestBody = { subnet: { name: 's', network_id: NETWORK_ID, project_id, ...body, ...sent } };
      const options = { status: 201, requestBody };
      networkAnswers(suite.cloud, 'POST /subnets', { subnet: subnetOf(caller) }, options);

      const answer = await api.post(SUBNETS, { as: caller, body: { name: 's', ...body } });

      assert.equal(answer.status, 201, answer.text);
    }
  });

  it('pass the options of a subnet on', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const options = {
      allocation_pools: [POOL],
      dns_nameservers: ['192.0.2.53'],
      host_routes: [ROUTE],
    };
    const made = subnetOf(caller, options);
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network: networkOf(caller) });
    networkAnswers(suite.cloud, 'POST /subnets', { subnet: made }, { status: 201 });
    networkAnswers(suite.cloud, 'GET /subnets/subnet-1', { subnet: made });
    const emptied = { ...made, dns_nameservers: [] };
    const requestBody = { subnet: { dns_nameservers: [] } };
    networkAnswers(suite.cloud, 'PUT /subnets/subnet-1', { subnet: emptied }, { requestBody });

    const body = { name: 's', cidr: '10.0.0.0/24', ...options };
    const created = await api.post<typeof options>(SUBNETS, { as: caller, body });
    const changed = await api.request<typeof options>('PUT', '/api/networks/subnets/subnet-1', {
      as: caller,
      body: { dns_nameservers: [] },
    });

    const { allocation_pools, dns_nameservers, host_routes } = created.body;
    assert.deepEqual({ allocation_pools, dns_nameservers, host_routes }, options);
    assert.deepEqual(changed.body.dns_nameservers, []);
  });

  it('get another name, unless they belong to others', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const named = networkOf(caller, { name: 'inner' });
    const read = `GET /networks/${NETWORK_ID}`;
    for (const project_id of [caller.projectId, caller.projectId, OTHER_PROJECT]) {
      networkAnswers(suite.cloud, read, { network: { ...named, project_id, shared: true } });
    }
    networkAnswers(
      suite.cloud,
      `PUT /networks/${NETWORK_ID}`,
      { network: { ...named, name: 'web' } },
      { requestBody: { network: { name: 'web' } } },
    );
    const rename = (body: object) =>
      api.request<ErrorBody & { name: string }>('PUT', NETWORK, { as: caller, body });

    assert.equal((await rename({ name: 'web' })).body.name, 'web');
    assert.equal((await rename({})).body.name, 'inner');
    assert.equal((await rename({ name: 'web' })).status, 403);
  });

  it('name what was added while their deletion was under way', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network: networkOf(caller) });
    networkAnswers(suite.cloud, `GET /subnets?network_id=${NETWORK_ID}`, { subnets: [] });
    networkRefuses(suite.cloud, `DELETE /networks/${NETWORK_ID}`, 409, IN_USE);
    const dhcp = portOf(caller, { id: 'port-2', device_id: 'd', device_owner: 'network:dhcp' });
    const balancer = portOf(caller, { device_id: 'lb-1', device_owner: 'Octavia' });
    networkAnswers(suite.cloud, `GET /ports?network_id=${NETWORK_ID}`, { ports: [dhcp, balancer] });

    const answer = await api.request<ErrorBody>('DELETE', NETWORK, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.equal(answer.body.detail, 'The network cannot be deleted: first remove Octavia lb-1.');
    assert.equal(answer.body.upstream?.status, 409);
  });

  it('that get a subnet during their deletion stay, and name it', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const read = (revision_number: number) =>
      networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, {
        network: networkOf(caller, { revision_number }),
      });
    read(7);
    networkAnswers(suite.cloud, `GET /subnets?network_id=${NETWORK_ID}`, { subnets: [] });
    networkRefuses(suite.cloud, `DELETE /networks/${NETWORK_ID}`, 412, STALE, {
      requestHeaders: { 'if-match': 'revision_number=7' },
    });
    read(8);
    networkAnswers(suite.cloud, `GET /subnets?network_id=${NETWORK_ID}`, { subnets: [subnetOf(caller)] });
    networkAnswers(suite.cloud, `GET /ports?network_id=${NETWORK_ID}`, { ports: [] });

    const answer = await api.request<ErrorBody>('DELETE', NETWORK, { as: caller });

    assert.equal(answer.status, 409);
    assert.match(answer.body.detail, /first remove subnet "inner" \(subnet-1\)/);
  });

  it('that only have another name now are deleted', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    for (const [revision_number, refusal] of [
      [7, STALE],
      [8, null],
    ] as const) {
      const network = networkOf(caller, { revision_number });
      networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network });
      networkAnswers(suite.cloud, `GET /subnets?network_id=${NETWORK_ID}`, { subnets: [] });
      const requestHeaders = { 'if-match': `revision_number=${revision_number}` };
      const call = `DELETE /networks/${NETWORK_ID}`;
      if (refusal) networkRefuses(suite.cloud, call, 412, refusal, { requestHeaders });
      else networkAnswers(suite.cloud, call, '', { status: 204, requestHeaders });
    }

    assert.equal((await api.request('DELETE', NETWORK, { as: caller })).status, 204);
  });

  it('that keep changing are 409', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const times = 5;
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network: networkOf(caller) }, { times });
    networkAnswers(suite.cloud, `GET /subnets?network_id=${NETWORK_ID}`, { subnets: [] }, { times });
    networkRefuses(suite.cloud, `DELETE /networks/${NETWORK_ID}`, 412, STALE, { times });
    networkAnswers(suite.cloud, `GET /ports?network_id=${NETWORK_ID}`, { ports: [] });

    const answer = await api.request<ErrorBody>('DELETE', NETWORK, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  });

  it("keep the service's reason if the blocking resource is invisible", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network: networkOf(caller) });
    networkAnswers(suite.cloud, `GET /subnets?network_id=${NETWORK_ID}`, { subnets: [] });
    networkRefuses(suite.cloud, `DELETE /networks/${NETWORK_ID}`, 409, IN_USE);
    networkAnswers(suite.cloud, `GET /ports?network_id=${NETWORK_ID}`, { ports: [] });

    const answer = await api.request<ErrorBody>('DELETE', NETWORK, { as: caller });

    assert.equal(answer.body.detail, `The network cannot be deleted: ${IN_USE[1]}`);
  });

  it('that vanish meanwhile are 404', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const gone = ['NetworkNotFound', 'Network x could not be found.'] as [string, string];
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network: networkOf(caller) }, { times: 2 });
    networkAnswers(suite.cloud, `GET /subnets?network_id=${NETWORK_ID}`, { subnets: [] });
    networkRefuses(suite.cloud, `DELETE /networks/${NETWORK_ID}`, 404, gone);
    networkRefuses(suite.cloud, 'POST /subnets', 404, gone);

    const deleted = await api.request('DELETE', NETWORK, { as: caller });
    const added = await api.post(SUBNETS, { as: caller, body: { name: 's', cidr: '10.0.0.0/24' } });

    assert.deepEqual([deleted.status, added.status], [404, 404]);
  });

  it('say that they are switched off, which their status does not', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const off = networkOf(caller, { status: 'ACTIVE', admin_state_up: false });
    const odd = { ...networkOf(caller, { id: 'odd', name: 'odd' }), admin_state_up: 'no' };
    networkAnswers(suite.cloud, 'GET /networks', { networks: [off, odd] });

    const { body } = await api.get<Network[]>('/api/networks', { as: caller });

    assert.deepEqual(
      body.map(({ admin_state_up, id, status }) => [id, status, admin_state_up]),
      [
        [NETWORK_ID, 'ACTIVE', false],
        ['odd', odd.status, true],
      ],
    );
  });

  it('of other projects are hidden from administrators, except shared and external ones', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const of = (id: string, more: object) => networkOf(caller, { id, project_id: OTHER_PROJECT, ...more });
    const networks = [
      of('1', { 'router:external': true }),
      of('2', {}),
      of('3', { shared: true }),
      networkOf(caller, { id: '4' }),
    ];
    networkAnswers(suite.cloud, 'GET /networks', { networks });
    networkAnswers(suite.cloud, 'GET /networks/2', { network: networks[1] });

    const list = await api.get<{ id: string }[]>('/api/networks', { as: caller });
    const other = await api.get('/api/networks/2', { as: caller });

    assert.deepEqual(
      list.body.map(({ id }) => id),
      ['4', '3', '1'],
    );
    assert.equal(other.status, 404);
  });
});
