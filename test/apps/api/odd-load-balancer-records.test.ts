import assert from 'node:assert/strict';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import {
  answers,
  balancerCalls,
  balancerOf,
  LB,
  listenerOf,
  memberOf,
  monitorOf,
  POOL,
  poolOf,
} from '../../support/api/load-balancing.ts';
import { networkAnswers } from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';

type Row = Record<string, unknown>;
type Rows = (caller: TestCaller) => Row;

const LIST = '/api/loadbalancers';

const LISTS: [kind: string, row: Rows, path: string, upstream: string][] = [
  ['loadbalancers', (caller) => ({ ...balancerOf(caller) }), LIST, '/loadbalancers'],
  ['listeners', (caller) => ({ ...listenerOf(caller) }), `${LIST}/${LB}/listeners`, '/listeners'],
  ['pools', (caller) => ({ ...poolOf(caller) }), `${LIST}/${LB}/pools`, '/pools'],
  [
    'members',
    (caller) => ({ ...memberOf(caller) }),
    `${LIST}/${LB}/pools/${POOL}/members`,
    `/pools/${POOL}/members`,
  ],
];

describe('a list of the load balancer service with odd rows', () => {
  const suite = apiSuite();

  for (const [kind, rowOf, path, upstream] of LISTS) {
    it(`shows all ${kind} where some say only which they are`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const row = rowOf(caller);
      const nulls = Object.fromEntries(Object.keys(row).map((field) => [field, null]));
      const others = Object.fromEntries(Object.keys(row).map((field) => [field, { odd: [7] }]));
      const odd = [
        { ...nulls, id: 'nulls' },
        { ...others, project_id: row.project_id, id: 'others' },
        { id: 'bare' },
      ];
      const optional = { optional: true };
      answers(suite.cloud, `GET /loadbalancers/${LB}`, { loadbalancer: balancerOf(caller) }, optional);
      answers(suite.cloud, `GET /pools/${POOL}`, { pool: poolOf(caller) }, optional);
      suite.cloud.reply('load-balancer/load-balancers', {
        path: new RegExp(`lbaas${upstream}(\\?|$)`),
        body: { [kind]: [...odd, row] },
      });

      const { body, headers, status, text } = await api.get<Row[]>(path, { as: caller });

      assert.equal(status, 200, text);
      assert.equal(headers['x-incomplete'], undefined);
      assert.deepEqual(new Set(body.map(({ id }) => id)), new Set(['nulls', 'others', 'bare', row.id]));
    });
  }

  it('shows a health monitor that says only which it is', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { id } = monitorOf(caller);
    answers(suite.cloud, `GET /pools/${POOL}`, { pool: poolOf(caller, { healthmonitor_id: id }) });
    answers(suite.cloud, `GET /healthmonitors/${id}`, { healthmonitor: { id, delay: '5', timeout: null } });

    const { body, status } = await api.get<Row>(`${LIST}/${LB}/pools/${POOL}/health-monitor`, { as: caller });

    assert.equal(status, 200);
    assert.deepEqual([body.delay, body.timeout, body.type, body.status], [5, 0, '', 'UNKNOWN']);
  });
});

describe('the deletion of a load balancer', () => {
  const suite = apiSuite();

  it('leaves floating IPs that do not say that they have its port', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const balancer = balancerOf(caller, { vip_port_id: 'vip' });
    answers(suite.cloud, `GET /loadbalancers/${LB}`, { loadbalancer: balancer });
    answers(suite.cloud, `DELETE /loadbalancers/${LB}?cascade=true`, '', { status: 204 });
    networkAnswers(suite.cloud, 'GET /floatingips?port_id=vip', {
      floatingips: [{ id: 'unsaid' }, { id: 'free', port_id: null }],
    });

    const { status } = await api.request('DELETE', `${LIST}/${LB}`, { as: caller });

    assert.equal(status, 204);
    assert.equal(balancerCalls(suite.cloud).length, 2);
  });
});
