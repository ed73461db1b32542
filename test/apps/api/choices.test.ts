import assert from 'node:assert/strict';
import { answers as storageAnswers } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, tokenBodyWithout } from '../../support/api/factories.ts';
import { networkAnswers, networkOf } from '../../support/api/network.ts';
import { serviceCalls } from '../../support/api/service-calls.ts';
import { apiSuite } from '../../support/api/suite.ts';

const { answers: computeAnswers } = serviceCalls('compute/availability-zones', '/v2.1');
const { answers: clusterAnswers } = serviceCalls('container-infra/cluster', '/v1');
const { answers: shareAnswers } = serviceCalls('shared-file-system/share-types', '/v2');

/** The upstream calls of each list; a key pair type needs none. */
const CHOICES = [
  '/api/availability-zones',
  '/api/clusters/templates',
  '/api/file-storage/share-networks',
  '/api/keypairs/types',
  '/api/networks/dns',
  '/api/volume-types',
];

describe('the choices of a form', () => {
  const suite = apiSuite();

  it('need a token and a project', async () => {
    const api = await suite.start();

    for (const path of CHOICES) assert.equal((await api.get(path)).status, 401, path);
  });

  it('are cached for the project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    shareAnswers(suite.cloud, 'GET /share-networks/detail', { share_networks: [] });
    const read = () => api.get('/api/file-storage/share-networks', { as: caller });

    assert.deepEqual([(await read()).body, (await read()).body], [[], []]);
  });

  const zones = (...known: [string, boolean][]) => ({
    availabilityZoneInfo: known.map(([zoneName, available]) => ({ zoneName, zoneState: { available } })),
  });

  it('name the service of each availability zone', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    computeAnswers(suite.cloud, 'GET /os-availability-zone', zones(['nova', true]));
    storageAnswers(suite.cloud, 'GET /os-availability-zone', zones(['nova', true], ['ceph', false]));

    const { body } = await api.get('/api/availability-zones', { as: caller });

    assert.deepEqual(body, [
      { name: 'nova', service: 'compute', is_available: true },
      { name: 'nova', service: 'block_storage', is_available: true },
      { name: 'ceph', service: 'block_storage', is_available: false },
    ]);
  });

  it('have the availability zones of hosts in a cloud without block storage', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsToken(caller, { body: tokenBodyWithout(caller, 'block-storage', 'volumev3') });
    computeAnswers(suite.cloud, 'GET /os-availability-zone', zones(['nova', true]));

    const answer = await api.get('/api/availability-zones', { as: caller });

    assert.deepEqual(answer.body, [{ name: 'nova', service: 'compute', is_available: true }]);
  });

  it('have the availability zones of hosts while block storage is unavailable', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    computeAnswers(suite.cloud, 'GET /os-availability-zone', zones(['nova', true]));
    storageAnswers(suite.cloud, 'GET /os-availability-zone', {}, { status: 500 });

    const answer = await api.get('/api/availability-zones', { as: caller });

    assert.deepEqual(answer.body, [{ name: 'nova', service: 'compute', is_available: true }]);
  });

  it('show which volume type is the default of the project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const standard = { id: 't1', name: 'standard', description: null, is_public: true };
    const fast = { id: 't2', name: 'fast', description: 'SSDs', is_public: false };
    storageAnswers(suite.cloud, 'GET /types', { volume_types: [standard, fast] });
    storageAnswers(suite.cloud, 'GET /types/default', { volume_type: standard });

    const { body } = await api.get('/api/volume-types', { as: caller });

    assert.deepEqual(body, [
      { id: 't1', name: 'standard', description: '', is_default: true, is_public: true },
      { id: 't2', name: 'fast', description: 'SSDs', is_default: false, is_public: false },
    ]);
  });

  it('have no default volume type in a cloud without one', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    storageAnswers(suite.cloud, 'GET /types', { volume_types: [{ id: 't1', name: 'a', is_public: true }] });
    const message = 'Volume type default could not be found.';
    const body = { itemNotFound: { code: 404, message } };
    storageAnswers(suite.cloud, 'GET /types/default', body, { status: 404 });

    const answer = await api.get<{ is_default: boolean }[]>('/api/volume-types', { as: caller });

    assert.deepEqual(
      answer.body.map(({ is_default }) => is_default),
      [false],
    );
  });

  it('show the networks of share networks', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const row = { id: 's1', name: null, description: null, created_at: '2026-11-22T03:00:00.000000' };
    const placed = { ...row, name: 'exports', neutron_net_id: 'n1', neutron_subnet_id: 'u1' };
    const share_networks = [placed, { ...row, id: 's2', neutron_net_id: null, neutron_subnet_id: null }];
    shareAnswers(suite.cloud, 'GET /share-networks/detail', { share_networks });

    const { body } = await api.get('/api/file-storage/share-networks', { as: caller });

    const nameless = { network_name: null, subnet_name: null };
    const shown = { description: '', created_at: '2026-11-22T03:00:00Z', ...nameless };
    assert.deepEqual(body, [
      { ...shown, id: 's1', name: 'exports', network_id: 'n1', subnet_id: 'u1' },
      { ...shown, id: 's2', name: '', network_id: null, subnet_id: null },
    ]);
  });

  it("leave out hidden cluster templates and other projects' own, also for administrators", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const template = {
      name: 'k8s',
      coe: 'kubernetes',
      public: false,
      hidden: false,
      project_id: caller.projectId,
      image_id: 'coreos',
      flavor_id: null,
      master_flavor_id: 'm1.small',
      keypair_id: null,
      network_driver: 'calico',
      master_lb_enabled: true,
      floating_ip_enabled: false,
      labels: null,
      created_at: '2026-11-22T03:00:00+00:00',
    };
    const labels = { cni: 'calico', boot_volume_size: 20, auto_scaling_enabled: true };
    const clustertemplates = [
      { ...template, uuid: 'own' },
      { ...template, uuid: 'public', public: true, project_id: OTHER_PROJECT, labels },
      { ...template, uuid: 'foreign', project_id: OTHER_PROJECT },
      { ...template, uuid: 'hidden', hidden: true },
    ];
    clusterAnswers(suite.cloud, 'GET /clustertemplates/detail', { clustertemplates });

    const { body } = await api.get<{ id: string; labels: object }[]>('/api/clusters/templates', {
      as: caller,
    });

    assert.deepEqual(
      body.map(({ id }) => id),
      ['own', 'public'],
    );
    const asTexts = { cni: 'calico', boot_volume_size: '20', auto_scaling_enabled: 'true' };
    assert.deepEqual(body[1]?.labels, asTexts);
    assert.deepEqual(body[0], {
      id: 'own',
      name: 'k8s',
      coe: 'kubernetes',
      is_public: false,
      image_id: 'coreos',
      flavor_id: '',
      master_flavor_id: 'm1.small',
      keypair: '',
      network_driver: 'calico',
      master_lb_enabled: true,
      floating_ip_enabled: false,
      labels: {},
      created_at: '2026-11-22T03:00:00Z',
    });
  });

  it('are 404 for optional services that are switched off or missing', async () => {
    const caller = suite.cloud.validCaller(newCaller());
    const services = { container_infra: false, shared_fs: false };
    const off = await suite.start({ settings: { services } });
    const missing = await suite.start({ settings: { identity: { region: 'Elsewhere' } } });

    for (const [api, path] of [
      [off, '/api/clusters/templates'],
      [off, '/api/file-storage/share-networks'],
      [missing, '/api/clusters/templates'],
    ] as const) {
      const { status, body } = await api.get<ErrorBody>(path, { as: caller });
      assert.deepEqual([status, body.code], [404, 'service_disabled'], path);
    }
  });

  it('have the networks with a domain that the project sees', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const domain = { dns_domain: 'inside.example.org.' };
    const { dns_domain: _, ...withoutExtension } = networkOf(caller, { id: 'old' });
    const networks = [
      networkOf(caller, { id: 'own', ...domain }),
      networkOf(caller, { id: 'shared', project_id: OTHER_PROJECT, shared: true, ...domain }),
      networkOf(caller, { id: 'foreign', project_id: OTHER_PROJECT, ...domain }),
      networkOf(caller, { id: 'nameless', dns_domain: '' }),
      withoutExtension,
    ];
    networkAnswers(suite.cloud, 'GET /networks', { networks });

    const { body } = await api.get('/api/networks/dns', { as: caller });

    const own = { id: 'own', name: 'inside', ...domain, is_external: false, is_shared: false };
    assert.deepEqual(body, [
      { ...own, project_id: caller.projectId, project_name: 'demo2' },
      { ...own, id: 'shared', is_shared: true, project_id: OTHER_PROJECT, project_name: null },
    ]);
  });

  it('have the types of key pairs that a creation accepts', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const { body } = await api.get<{ name: string; is_default: boolean }[]>('/api/keypairs/types', {
      as: caller,
    });

    assert.deepEqual(
      body.map(({ name, is_default }) => [name, is_default]),
      [
        ['ssh', true],
        ['x509', false],
      ],
    );
  });
});
