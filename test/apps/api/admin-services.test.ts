import assert from 'node:assert/strict';
import type { ServiceStatus } from '@gateway/resources';
import nock from 'nock';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const ORIGIN = 'http://127.0.0.1:8004';
/** The recorded catalog has no orchestration service. */
const settings = {
  services: { shared_fs: false, container_infra: false },
  identity: { endpoints: { orchestration: `${ORIGIN}/v1/%(project_id)s` } },
};

describe('the status of services', () => {
  const suite = apiSuite();

  it('has agents, engines, addresses by region, and capacities that are not numbers', async () => {
    const api = await suite.start({ settings });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const { cloud } = suite;
    cloud.reply('compute/server', { path: '/v2.1/os-services', body: { services: [] } });
    cloud.reply('block-storage/volumes', { path: /\/os-services$/, body: { services: [] } });
    const pool = (name: string, total: unknown, more: object = {}) => ({
      name,
      capabilities: { total_capacity_gb: total, free_capacity_gb: total, ...more },
    });
    const pools = [
      pool('a', 'infinite', { storage_protocol: ['ceph', 'rbd'] }),
      pool('b', 'unknown'),
      pool('c', 1.5),
    ];
    cloud.reply('block-storage/volumes', { path: /\/get_pools\?detail=true$/, body: { pools } });
    const agent = {
      id: 'agent-1',
      binary: 'neutron-l3-agent',
      host: 'network-1',
      agent_type: 'L3 agent',
      availability_zone: '',
      alive: false,
      admin_state_up: true,
      heartbeat_timestamp: '2026-11-22 03:00:00',
    };
    cloud.reply('network/network', { path: '/v2.0/agents', body: { agents: [agent] } });
    const services = [
      { id: 's1', type: 'compute', name: 'nova', enabled: true },
      { id: 's2', type: 'unused', name: 'unused', enabled: true },
    ];
    const at = (region_id: string, face: string, enabled = true) => ({
      id: `${region_id}-${face}`,
      service_id: 's1',
      interface: face,
      region_id,
      url: `https://${region_id}/${face}`,
      enabled,
    });
    const endpoints = [
      at('one', 'public'),
      at('one', 'admin', false),
      at('two', 'public'),
      at('two', 'admin'),
    ];
    cloud.reply('identity/projects', { path: '/v3/services', body: { services } });
    cloud.reply('identity/projects', { path: '/v3/endpoints', body: { endpoints } });
    const engine = {
      id: 'engine-1',
      binary: 'heat-engine',
      hostname: 'control-1',
      host: 'x',
      status: 'up',
      updated_at: '2026-11-22T03:00:00.000000',
    };
    nock(ORIGIN)
      .get(`/v1/${admin.projectId}/services`)
      .reply(200, { services: [engine] });

    const { body } = await api.get<ServiceStatus>('/api/admin/services', { as: admin });

    const { heartbeat_timestamp: _, ...shown } = agent;
    assert.deepEqual(body.network, [
      { ...shown, availability_zone: null, updated_at: '2026-11-22T03:00:00Z' },
    ]);
    assert.deepEqual(
      body.orchestration.map(({ id, host, state, status }) => [id, host, state, status]),
      [['engine-1', 'control-1', 'up', 'enabled']],
    );
    assert.deepEqual(
      body.endpoints.map(({ region, endpoints: urls }) => [region, urls]),
      [
        ['one', { public: 'https://one/public', internal: null, admin: null }],
        ['two', { public: 'https://two/public', internal: null, admin: 'https://two/admin' }],
      ],
    );
    assert.deepEqual(
      body.storage_pools.map((row) => [
        row.total_capacity_gb,
        row.allocated_capacity_gb,
        row.storage_protocol,
      ]),
      [
        [-1, null, 'ceph'],
        [null, null, ''],
        [1.5, null, ''],
      ],
    );
    assert.deepEqual([body.shared_file_system, body.container_infra, body.unavailable], [[], [], []]);
  });

  it('has only the categories that are asked for, of the cached lists', async () => {
    const api = await suite.start({ settings: { services: settings.services } });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const { cloud } = suite;
    const process = { id: 's1', binary: 'nova-compute', host: 'h', status: 'enabled', state: 'up' };
    cloud.reply('compute/server', { path: '/v2.1/os-services', body: { services: [process] } });
    cloud.reply('block-storage/volumes', { path: /\/os-services$/, body: { services: [process] } });
    cloud.reply('block-storage/volumes', { path: /\/get_pools\?detail=true$/, body: { pools: [] } });
    cloud.reply('network/network', { path: '/v2.0/agents', body: { agents: [] } });
    cloud.reply('identity/projects', { path: '/v3/services', body: { services: [] } });
    cloud.reply('identity/projects', { path: '/v3/endpoints', body: { endpoints: [] } });
    const read = (query: string) =>
      api.get<ServiceStatus & ErrorBody>(`/api/admin/services?${query}`, { as: admin });
    const rowsOf = ({ compute, block_storage }: ServiceStatus) => [compute.length, block_storage.length];

    const counts: number[][] = [];
    for (const query of ['', 'category=compute', 'category=block_storage,compute', 'category='])
      counts.push(rowsOf((await read(query)).body));
    const refused = await read('category=compute,storage');

    assert.deepEqual(counts, [
      [1, 1],
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
    assert.deepEqual(
      [refused.status, refused.body.errors?.map(({ field }) => field)],
      [400, ['query.category']],
    );
  });
});
