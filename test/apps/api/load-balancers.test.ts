import assert from 'node:assert/strict';
import type { HealthMonitor, Listener, LoadBalancer, Pool, PoolMember } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import {
  answers,
  balancerCalls,
  balancerOf,
  IMMUTABLE,
  LB,
  LISTENER,
  listenerOf,
  memberOf,
  monitorOf,
  POOL,
  poolOf,
  refuses,
} from '../../support/api/load-balancing.ts';
import { floatingIpOf, networkAnswers, networkRefuses } from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';

const LIST = '/api/loadbalancers';
const PATH = `${LIST}/${LB}`;
const SUBNET = '0a1b2c3d-0000-4000-8000-00000000000b';
const NETWORK = '0a1b2c3d-0000-4000-8000-00000000000c';
const listener = { protocol: 'HTTP', protocol_port: 80 };
const pool = { protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };

describe('load balancers', () => {
  const suite = apiSuite();

  function answersSubnet(projectId: string): void {
    const subnet = { id: SUBNET, network_id: NETWORK, project_id: projectId };
    suite.cloud.reply('network/subnets', { path: `/v2.0/subnets/${SUBNET}`, body: { subnet } });
  }

  /** The reads of the load balancer get it, active unless `status` is set. */
  function answersBalancer(caller: TestCaller, status = 'ACTIVE', times = 1): void {
    const loadbalancer = balancerOf(caller, { provisioning_status: status });
    answers(suite.cloud, `GET /loadbalancers/${LB}`, { loadbalancer }, { times });
  }

  it('are listed from the cache, those of the project only', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    answers(suite.cloud, `GET /loadbalancers?project_id=${caller.projectId}`, {
      loadbalancers: [
        balancerOf(caller, { created_at: '2026-11-22T03:00:00', updated_at: '', name: 'front' }),
      ],
      loadbalancers_links: [],
    });

    const answer = await api.get<LoadBalancer[]>(LIST, { as: caller });
    const again = await api.get<LoadBalancer[]>(LIST, { as: caller });

    const recorded = balancerOf(caller);
    assert.deepEqual(answer.body, [
      {
        id: LB,
        name: 'front',
        description: '',
        status: 'ACTIVE',
        operating_status: 'ONLINE',
        vip_address: recorded.vip_address,
        vip_subnet_id: recorded.vip_subnet_id,
        vip_subnet_name: null,
        vip_network_id: recorded.vip_network_id,
        vip_network_name: null,
        vip_port_id: recorded.vip_port_id,
        project_id: caller.projectId,
        project_name: caller.projectName,
        created_at: '2026-11-22T03:00:00Z',
        updated_at: null,
        managed_by: null,
        allowed_actions: ['update', 'add_listener', 'add_pool', 'associate_floating_ip', 'delete'],
      },
    ]);
    assert.equal(again.text, answer.text);
  });

  it('are created in a subnet when the quota is not locked', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersSubnet(caller.projectId);
    const body = { name: 'front', vip_subnet_id: SUBNET, description: 'd' };
    const loadbalancer = balancerOf(caller, { provisioning_status: 'PENDING_CREATE' });
    const locked = 'Project busy.  Unable to lock the project.  Please try again.';
    refuses(suite.cloud, 'POST /loadbalancers', 503, locked);
    answers(
      suite.cloud,
      'POST /loadbalancers',
      { loadbalancer },
      { status: 201, requestBody: { loadbalancer: body } },
    );

    const answer = await api.post<LoadBalancer>(LIST, { as: caller, body });

    assert.deepEqual([answer.status, answer.body.status], [201, 'PENDING_CREATE']);
  });

  it("are 400 in a subnet that the project's members cannot see", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    answersSubnet(OTHER_PROJECT);
    suite.cloud.reply('network/network', {
      path: `/v2.0/networks/${NETWORK}`,
      body: { network: { id: NETWORK, project_id: OTHER_PROJECT, shared: false, 'router:external': false } },
    });

    const answer = await api.post<ErrorBody>(LIST, {
      as: caller,
      body: { name: 'front', vip_subnet_id: SUBNET },
    });

    assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, 'body.vip_subnet_id']);
  });

  it('get children, whose names and weights may be left out', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersBalancer(caller, 'ACTIVE', 2);
    answers(suite.cloud, `GET /listeners/${LISTENER}`, { listener: listenerOf(caller) });
    answers(suite.cloud, `GET /pools/${POOL}`, { pool: poolOf(caller) }, { times: 2 });
    const created = (requestBody: object) => ({ status: 201, requestBody: requestBody as never });
    answers(
      suite.cloud,
      'POST /listeners',
      { listener: listenerOf(caller, { default_pool_id: null }) },
      created({ listener: { ...listener, loadbalancer_id: LB } }),
    );
    answers(
      suite.cloud,
      'POST /pools',
      { pool: poolOf(caller, { healthmonitor_id: undefined }) },
      created({ pool: { ...pool, listener_id: LISTENER } }),
    );
    const member = { address: '10.0.0.11', protocol_port: 80 };
    answers(
      suite.cloud,
      `POST /pools/${POOL}/members`,
      { member: memberOf(caller) },
      created({ member: { ...member, weight: 1 } }),
    );
    const monitor = { type: 'HTTP', delay: 5, timeout: 3, max_retries: 2 };
    answers(
      suite.cloud,
      'POST /healthmonitors',
      { healthmonitor: monitorOf(caller) },
      created({ healthmonitor: { ...monitor, pool_id: POOL } }),
    );

    const made = [
      await api.post<Listener>(`${PATH}/listeners`, { as: caller, body: listener }),
      await api.post<Pool>(`${PATH}/pools`, { as: caller, body: { ...pool, listener_id: LISTENER } }),
      await api.post<PoolMember>(`${PATH}/pools/${POOL}/members`, { as: caller, body: member }),
      await api.post<HealthMonitor>(`${PATH}/pools/${POOL}/health-monitor`, { as: caller, body: monitor }),
    ];

    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201, 201],
    );
  });

  it('and their children are changed, only in the named fields', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const certificate = `https://keys.example.org/v1/secrets/${crypto.randomUUID()}`;
    const monitor = { pool: poolOf(caller, { healthmonitor_id: 'monitor-1' }) };
    answersBalancer(caller, 'ACTIVE', 3);
    answers(suite.cloud, `GET /pools?loadbalancer_id=${LB}`, { pools: [] });
    answers(suite.cloud, `GET /listeners/${LISTENER}`, { listener: listenerOf(caller) });
    answers(suite.cloud, `GET /pools/${POOL}`, monitor, { times: 4 });
    answers(suite.cloud, `GET /pools/${POOL}/members/member-1`, { member: memberOf(caller) });
    const changes: [path: string, changed: Record<string, object>, body: object][] = [
      ['', { loadbalancer: balancerOf(caller) }, { name: 'front', description: '' }],
      [
        `/listeners/${LISTENER}`,
        { listener: listenerOf(caller) },
        { default_pool_id: POOL, default_tls_container_ref: certificate },
      ],
      [`/pools/${POOL}`, { pool: poolOf(caller) }, { lb_algorithm: 'SOURCE_IP' }],
      [`/pools/${POOL}/members/member-1`, { member: memberOf(caller) }, { weight: 0 }],
      [`/pools/${POOL}/health-monitor/monitor-1`, { healthmonitor: monitorOf(caller) }, { delay: 9 }],
    ];

    for (const [path, changed, body] of changes) {
      const [noun = ''] = Object.keys(changed);
      const ofService = path.replace(/.*health-monitor/, '/healthmonitors') || `/loadbalancers/${LB}`;
      const requestBody = { [noun]: body } as never;
      answers(suite.cloud, `PUT ${ofService}`, changed, { requestBody });
      const answer = await api.request('PUT', `${PATH}${path}`, {
        as: caller,
        body: { ...body, protocol: 'TCP' },
      });
      assert.equal(answer.status, 200, answer.text);
    }
  });

  it('show which members of their pools are reserves', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET /pools/${POOL}`, { pool: poolOf(caller) });
    const members = [memberOf(caller), memberOf(caller, { backup: true })];
    answers(suite.cloud, `GET /pools/${POOL}/members`, { members, members_links: [] });

    const rows = (await api.get<PoolMember[]>(`${PATH}/pools/${POOL}/members`, { as: caller })).body;

    assert.deepEqual(
      rows.map(({ backup }) => backup),
      [false, true],
    );
  });

  it('get a floating IP of the project for their address', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const vip = { vip_port_id: 'vip', vip_address: '10.0.0.7' };
    answers(suite.cloud, `GET /loadbalancers/${LB}`, { loadbalancer: balancerOf(caller, vip) }, { times: 3 });
    const free = floatingIpOf(caller, { revision_number: 3 });
    networkAnswers(suite.cloud, 'GET /floatingips/fip-1', { floatingip: free }, { times: 2 });
    const put = 'PUT /floatingips/fip-1';
    networkAnswers(
      suite.cloud,
      put,
      { floatingip: { ...free, port_id: 'vip' } },
      {
        requestBody: { floatingip: { port_id: 'vip', fixed_ip_address: '10.0.0.7' } },
        requestHeaders: { 'if-match': 'revision_number=3' },
      },
    );
    networkRefuses(suite.cloud, put, 404, [
      'ExternalGatewayForFloatingIPNotFound',
      'External network external is not reachable from subnet s.',
    ]);
    networkAnswers(suite.cloud, 'GET /floatingips/fip-1', {
      floatingip: { ...free, project_id: OTHER_PROJECT },
    });
    const associate = () =>
      api.post<ErrorBody & { port_id: string }>(`${PATH}/floating-ip`, {
        as: caller,
        body: { floating_ip_id: 'fip-1' },
      });

    assert.equal((await associate()).body.port_id, 'vip');
    const unreachable = await associate();
    assert.deepEqual([unreachable.status, unreachable.body.code], [400, 'no_external_network']);
    assert.match(unreachable.body.detail, /connects the load balancer to/);
    assert.equal((await associate()).status, 404);
  });

  it('without an address yet get no floating IP', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const loadbalancer = balancerOf(caller, { vip_port_id: null, vip_address: null });
    answers(suite.cloud, `GET /loadbalancers/${LB}`, { loadbalancer });

    const answer = await api.post<ErrorBody>(`${PATH}/floating-ip`, {
      as: caller,
      body: { floating_ip_id: 'fip-1' },
    });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  });

  it('that are busy get a change when they are ready, once', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersBalancer(caller, 'PENDING_UPDATE', 2);
    refuses(suite.cloud, 'POST /listeners', 409, IMMUTABLE);
    answersBalancer(caller);
    answers(suite.cloud, 'POST /listeners', { listener: listenerOf(caller) }, { status: 201 });
    answers(suite.cloud, `GET /pools?loadbalancer_id=${LB}`, { pools: [] });

    const answer = await api.post(`${PATH}/listeners`, { as: caller, body: listener });

    assert.equal(answer.status, 201);
    assert.deepEqual(
      balancerCalls(suite.cloud).filter((call) => call.startsWith('POST')),
      ['POST /listeners', 'POST /listeners'],
    );
  });

  it('that stay busy are 409 and name their state', async () => {
    const api = await suite.start({ settings: { time_limits: { load_balancer_seconds: 1 } } });
    const caller = suite.cloud.validCaller(newCaller());
    const loadbalancer = balancerOf(caller, { provisioning_status: 'PENDING_UPDATE' });
    answers(suite.cloud, `GET /loadbalancers/${LB}`, { loadbalancer }, { times: 5, optional: true });
    refuses(suite.cloud, `DELETE /loadbalancers/${LB}?cascade=true`, 409, IMMUTABLE);
    suite.cloud.reply('network/floating-ips', { path: /floatingips/, body: { floatingips: [] } });

    const answer = await api.request<ErrorBody>('DELETE', PATH, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [409, 'immutable']);
    assert.match(answer.body.detail, /PENDING_UPDATE\. If this state does not end, /);
  });

  for (const state of ['ERROR', 'PENDING_DELETE']) {
    it(`in the state ${state} are 409 without a call`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answersBalancer(caller, state, 1);

      const answer = await api.post<ErrorBody>(`${PATH}/pools`, { as: caller, body: pool });

      assert.deepEqual([answer.status, answer.body.code], [409, 'immutable']);
      assert.match(answer.body.detail, new RegExp(state));
    });

    it(`that meet the state ${state} are 409 without a wait`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      answersBalancer(caller, 'ACTIVE', 1);
      answersBalancer(caller, state, 1);
      refuses(suite.cloud, 'POST /pools', 409, IMMUTABLE);

      const answer = await api.post<ErrorBody>(`${PATH}/pools`, { as: caller, body: pool });

      assert.deepEqual([answer.status, answer.body.code], [409, 'immutable']);
      assert.match(answer.body.detail, new RegExp(state));
    });
  }

  it('refuse members of a pool that has failed without a wait', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersBalancer(caller);
    const failed = poolOf(caller, { provisioning_status: 'ERROR' });
    answers(suite.cloud, `GET /pools/${POOL}`, { pool: failed }, { times: 2 });
    const immutable = `Pool ${POOL} is immutable and cannot be updated.`;
    refuses(suite.cloud, `POST /pools/${POOL}/members`, 409, immutable);

    const answer = await api.post<ErrorBody>(`${PATH}/pools/${POOL}/members`, {
      as: caller,
      body: { address: '10.0.0.11', protocol_port: 80 },
    });

    assert.deepEqual([answer.status, answer.body.code], [409, 'immutable']);
    assert.match(answer.body.detail, /^The pool .* ERROR: delete it/);
  });

  it('that fail while their deletion waits are deleted', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersBalancer(caller);
    suite.cloud.reply('network/floating-ips', { path: /floatingips/, body: { floatingips: [] } });
    refuses(suite.cloud, `DELETE /loadbalancers/${LB}?cascade=true`, 409, IMMUTABLE);
    answersBalancer(caller, 'ERROR');
    answers(suite.cloud, `DELETE /loadbalancers/${LB}?cascade=true`, '', { status: 204 });

    assert.equal((await api.request('DELETE', PATH, { as: caller })).status, 204);
  });

  it('are not retried after other refusals, or a lost connection', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answersBalancer(caller, 'ACTIVE', 3);
    refuses(
      suite.cloud,
      'POST /listeners',
      409,
      'Another Listener on this Load Balancer is already using it',
    );
    refuses(suite.cloud, 'POST /listeners', 500, 'Internal');
    answers(suite.cloud, 'POST /listeners', '', { fault: 'ECONNRESET' });

    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      const { status, body } = await api.post<ErrorBody>(`${PATH}/listeners`, { as: caller, body: listener });
      statuses.push(`${status} ${body.code}`);
    }

    assert.deepEqual(statuses, ['409 conflict', '502 upstream_error', '503 upstream_unavailable']);
  });

  it("of other projects, and others' children, are 404 even for administrators", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const foreign = { project_id: OTHER_PROJECT };
    answers(suite.cloud, `GET /loadbalancers/${LB}`, { loadbalancer: balancerOf(caller, foreign) });
    answers(suite.cloud, `GET /pools/${POOL}`, { pool: poolOf(caller, foreign) });
    const elsewhere = { loadbalancers: [{ id: 'lb-2' }] };
    answers(suite.cloud, `GET /listeners/${LISTENER}`, { listener: listenerOf(caller, elsewhere) });
    refuses(
      suite.cloud,
      'GET /loadbalancers/lb-2',
      403,
      'Policy does not allow this request to be performed.',
    );

    const refused = [
      await api.get(`${PATH}/pools`, { as: caller }),
      await api.get(`${PATH}/pools/${POOL}/members`, { as: caller }),
      await api.request('DELETE', `${PATH}/listeners/${LISTENER}`, { as: caller }),
      await api.get(`${LIST}/lb-2`, { as: caller }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [404, 404, 404, 404],
    );
  });

  it("keep a pool's health monitor if the request names another one", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET /pools/${POOL}`, { pool: poolOf(caller, { healthmonitor_id: 'monitor-1' }) });

    const path = `${PATH}/pools/${POOL}/health-monitor/monitor-2`;
    const answer = await api.request<ErrorBody>('DELETE', path, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  });

  for (const [reason, status, isLogged] of [
    ['cannot be disassociated', 404, true],
    ['has another use already', 412, false],
  ] as const) {
    it(`are deleted although their floating IP ${reason}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const balancer = balancerOf(caller);
      answersBalancer(caller);
      suite.cloud
        .reply('network/floating-ips', {
          path: /floatingips\?port_id=/,
          body: { floatingips: [{ id: 'f-1', port_id: balancer.vip_port_id, revision_number: 4 }] },
        })
        .reply('network/floating-ips', {
          method: 'PUT',
          path: '/v2.0/floatingips/f-1',
          status,
          body: {},
          requestHeaders: { 'if-match': 'revision_number=4' },
        });
      answers(suite.cloud, `DELETE /loadbalancers/${LB}?cascade=true`, '', { status: 204 });

      const answer = await api.request('DELETE', PATH, { as: caller });

      assert.equal(answer.status, 204);
      assert.equal(/could not be disassociated/.test(api.log.text()), isLogged);
    });
  }

  it('refuse invalid children with 400', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const member = { address: '10.0.0.11', protocol_port: 80 };
    const monitor = { type: 'HTTP', delay: 5, timeout: 3, max_retries: 2 };
    const below = `${PATH}/pools/${POOL}`;
    const invalid: [string, object, string][] = [
      [LIST, { name: 'x' }, 'body.vip_subnet_id'],
      [`${PATH}/listeners`, { protocol: 'HTTP' }, 'body.protocol_port'],
      [`${PATH}/listeners`, { protocol: 'http', protocol_port: 80 }, 'body.protocol'],
      [`${PATH}/listeners`, { protocol: 'HTTP', protocol_port: 65_536 }, 'body.protocol_port'],
      [`${PATH}/pools`, { protocol: 'HTTP' }, 'body.lb_algorithm'],
      [`${below}/members`, { ...member, address: 'example.org' }, 'body.address'],
      [`${below}/members`, { ...member, address: '10.0.0.011' }, 'body.address'],
      [`${below}/members`, { ...member, weight: 257 }, 'body.weight'],
      [`${below}/health-monitor`, { ...monitor, max_retries: 11 }, 'body.max_retries'],
      [`${below}/health-monitor`, { ...monitor, delay: '5' }, 'body.delay'],
    ];

    const certificate = 'https://keys.example.org/v1/secrets/one';
    const changes: [string, object, string][] = [
      [PATH, { name: '' }, 'body.name'],
      [`${PATH}/listeners/l`, { default_tls_container_ref: certificate }, 'body.default_tls_container_ref'],
      [below, { lb_algorithm: 'random' }, 'body.lb_algorithm'],
      [`${below}/members/m`, { weight: -1 }, 'body.weight'],
      [`${below}/health-monitor/h`, { timeout: 0 }, 'body.timeout'],
    ];

    for (const [method, requests] of [
      ['POST', invalid],
      ['PUT', changes],
    ] as const) {
      for (const [path, body, field] of requests) {
        const answer = await api.request<ErrorBody>(method, path, { as: caller, body });
        assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field], `${path} ${field}`);
      }
    }
  });
});
