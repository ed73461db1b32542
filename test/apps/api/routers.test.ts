import assert from 'node:assert/strict';
import type { Router } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import {
  NETWORK_ID,
  networkAnswers,
  networkOf,
  networkRefuses,
  portOf,
  routerOf,
  subnetOf,
} from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';

const ROUTER = '/api/routers/router-1';
const INTERFACES = `${ROUTER}/interfaces`;
const OWNERS =
  'device_owner=network%3Arouter_interface&device_owner=network%3Arouter_interface_distributed&device_owner=network%3Aha_router_replicated_interface';

describe('routers', () => {
  const suite = apiSuite();

  const hasRouter = (caller: TestCaller, times = 1) =>
    networkAnswers(suite.cloud, 'GET /routers/router-1', { router: routerOf(caller) }, { times });

  it('are listed with two calls, including interfaces of distributed routers', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const project = `project_id=${caller.projectId}`;
    const off = { status: 'ACTIVE', admin_state_up: false };
    const routers = [routerOf(caller), routerOf(caller, { id: 'router-2', name: 'a', ...off })];
    networkAnswers(suite.cloud, `GET /routers?${project}`, { routers });
    const at = (device_id: string, ...subnets: string[]) =>
      portOf(caller, {
        id: `port-${subnets.join()}`,
        device_id,
        device_owner: 'network:router_interface',
        fixed_ips: subnets.map((subnet_id) => ({ subnet_id, ip_address: '10.0.0.1' })),
      });
    const ports = [at('router-1', 's-2', 's-3'), at('router-1', 's-1'), at('router-2', 's-9')];
    networkAnswers(suite.cloud, `GET /ports?${project}&${OWNERS}`, { ports });

    const { body } = await api.get<Router[]>('/api/routers', { as: caller });

    assert.deepEqual(
      body.map((row) => [row.id, row.status, row.admin_state_up, row.connected_subnet_ids]),
      [
        ['router-2', 'ACTIVE', false, ['s-9']],
        ['router-1', 'ACTIVE', true, ['s-1', 's-2', 's-3']],
      ],
    );
  });

  it('refuse malformed input', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const refused: [string, object, string][] = [
      ['/api/routers', {}, 'body.name'],
      ['/api/routers', { name: 'r', external_network_id: '' }, 'body.external_network_id'],
      [INTERFACES, {}, 'body.subnet_id'],
      [INTERFACES, { subnet_id: '../x' }, 'body.subnet_id'],
      [`${ROUTER}/gateway`, { external_network_id: null }, 'body.external_network_id'],
    ];
    for (const [path, body, field] of refused) {
      const answer = await api.post<ErrorBody>(path, { as: caller, body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field], path);
    }
  });

  it('omit connected subnets that only a cloud administrator sees', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    hasRouter(caller);
    const subnet = subnetOf(caller, { project_id: OTHER_PROJECT });
    const network = networkOf(caller, { project_id: OTHER_PROJECT, 'router:external': true });
    networkAnswers(suite.cloud, 'GET /subnets/subnet-1', { subnet });
    networkAnswers(suite.cloud, `GET /networks/${NETWORK_ID}`, { network });

    const answer = await api.post<ErrorBody>(INTERFACES, { as: caller, body: { subnet_id: 'subnet-1' } });

    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  });

  it('report a removed interface that could not be read first', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    hasRouter(caller);
    networkAnswers(suite.cloud, 'GET /subnets/subnet-1', { subnet: subnetOf(caller) });
    networkAnswers(suite.cloud, 'PUT /routers/router-1/add_router_interface', { port_id: 'port-1' });
    networkRefuses(suite.cloud, 'GET /ports/port-1', 404, [
      'PortNotFound',
      'Port port-1 could not be found.',
    ]);

    const answer = await api.post<ErrorBody>(INTERFACES, { as: caller, body: { subnet_id: 'subnet-1' } });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  });

  it('get static routes, whose refusal shows the reason of the service', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const routes = [{ destination: '192.168.5.0/24', nexthop: '10.0.0.9' }];
    hasRouter(caller, 2);
    const router = routerOf(caller, { routes, external_gateway_info: null });
    const requestBody = { router: { routes } };
    networkAnswers(suite.cloud, 'PUT /routers/router-1', { router }, { requestBody });
    networkAnswers(suite.cloud, `GET /ports?device_id=router-1&${OWNERS}`, { ports: [] });
    networkRefuses(suite.cloud, 'PUT /routers/router-1', 400, [
      'InvalidRoutes',
      'Invalid format for routes: [], the nexthop is not connected with router',
    ]);
    const set = () =>
      api.request<ErrorBody & { routes: unknown }>('PUT', ROUTER, { as: caller, body: { routes } });

    assert.deepEqual((await set()).body.routes, routes);
    const refused = await set();
    assert.equal(refused.status, 400);
    assert.match(refused.body.detail, /the nexthop is not connected with router/);
  });

  it('keep the settings of a gateway that is set again', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    hasRouter(caller);
    const network = networkOf(caller, { id: 'external', name: 'outside', 'router:external': true });
    networkAnswers(suite.cloud, 'GET /networks/external', { network });
    networkAnswers(suite.cloud, `GET /ports?device_id=router-1&${OWNERS}`, { ports: [] });

    const { body, status } = await api.post<Record<string, unknown>>(`${ROUTER}/gateway`, {
      as: caller,
      body: { external_network_id: 'external' },
    });

    assert.deepEqual([status, body.external_gateway_network_id], [200, 'external']);
  });

  it('keep an interface that a route needs, and name the route', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const routes = [{ destination: '192.168.5.0/24', nexthop: '10.0.0.9' }];
    networkAnswers(suite.cloud, 'GET /routers/router-1', { router: routerOf(caller, { routes }) });
    networkRefuses(suite.cloud, 'PUT /routers/router-1/remove_router_interface', 409, [
      'RouterInterfaceInUseByRoute',
      'It is required by one or more routes.',
    ]);
    networkAnswers(suite.cloud, 'GET /floatingips?router_id=router-1', { floatingips: [] });

    const { body, status } = await api.request<ErrorBody>('DELETE', `${INTERFACES}/subnet-1`, { as: caller });

    assert.equal(status, 409);
    assert.match(body.detail, /first remove route to 192\.168\.5\.0\/24 by 10\.0\.0\.9/);
  });

  it('that vanish meanwhile are 404', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    hasRouter(caller, 4);
    const gone = ['RouterNotFound', 'Router router-1 could not be found'] as [string, string];
    networkAnswers(suite.cloud, 'GET /subnets/subnet-1', { subnet: subnetOf(caller) });
    networkRefuses(suite.cloud, 'DELETE /routers/router-1', 404, gone);
    networkRefuses(suite.cloud, 'PUT /routers/router-1', 404, gone);
    networkRefuses(suite.cloud, 'PUT /routers/router-1/add_router_interface', 404, gone);
    networkRefuses(suite.cloud, 'PUT /routers/router-1/remove_router_interface', 404, gone);

    const statuses = [
      await api.request('DELETE', ROUTER, { as: caller }),
      await api.request('DELETE', `${ROUTER}/gateway`, { as: caller }),
      await api.post(INTERFACES, { as: caller, body: { subnet_id: 'subnet-1' } }),
      await api.request('DELETE', `${INTERFACES}/subnet-1`, { as: caller }),
    ].map(({ status }) => status);

    assert.deepEqual(statuses, [404, 404, 404, 404]);
  });

  it('are shown without the name of a gateway network that is gone', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    hasRouter(caller);
    networkRefuses(suite.cloud, 'GET /networks/external', 404, ['NetworkNotFound', 'It could not be found.']);
    networkAnswers(suite.cloud, `GET /ports?device_id=router-1&${OWNERS}`, { ports: [] });

    const { body } = await api.get<Record<string, unknown>>(ROUTER, { as: caller });

    assert.deepEqual(
      [body.external_gateway_network_id, body.external_gateway_network_name, body.interfaces],
      ['external', null, []],
    );
  });
});
