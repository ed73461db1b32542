import assert from 'node:assert/strict';
import type { Endpoints } from '@gateway/openstack';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { call, testCloud } from './cloud.ts';

const COMPUTE = 'http://127.0.0.1:8774/v2.1';
const VOLUMES = `http://127.0.0.1:8776/v3/${'a'.repeat(32)}`;
/** At the origin of a recorded response. */
const CONTAINERS = 'http://127.0.0.1:9511/v1';

describe('the microversions that services offer', () => {
  let upstream: Upstream;

  beforeEach(() => {
    upstream = mockUpstream();
  });

  afterEach(() => {
    upstream.assertAllUsed();
    upstream.close();
  });

  const check = (endpoints: Endpoints) => testCloud().openstack.unsupportedMicroversions(endpoints, call);

  function computeOffers(min_version: string, version: string): void {
    const body = { version: { id: 'v2.1', status: 'CURRENT', version, min_version } };
    upstream.reply('compute/servers', { path: '/v2.1/', body });
  }

  it('are supported if they include the one that is needed', async () => {
    computeOffers('2.1', '2.79');

    assert.deepEqual(await check({ compute: COMPUTE }), []);
  });

  for (const [what, min, max] of [
    ['too old', '2.1', '2.65'],
    ['too new', '2.80', '2.100'],
  ] as const) {
    it(`are named if the service is ${what}`, async () => {
      computeOffers(min, max);

      assert.deepEqual(await check({ compute: COMPUTE }), [
        { service: 'compute', needed: '2.79', offered: `${min} to ${max}` },
      ]);
    });
  }

  it('are found at the root, with several major versions', async () => {
    const versions = [
      { id: 'v2.0', status: 'DEPRECATED', version: '', min_version: '' },
      { id: 'v3.0', status: 'CURRENT', version: '3.50', min_version: '3.0' },
    ];
    upstream
      .reply('block-storage/volumes', { path: '/v3/', status: 401, body: {} })
      .reply('block-storage/volumes', { path: '/', status: 300, body: { versions } });

    assert.deepEqual(await check({ blockStorage: VOLUMES }), [
      { service: 'blockStorage', needed: '3.59', offered: '3.0 to 3.50' },
    ]);
  });

  it('count as supported if they cannot be read', async () => {
    upstream
      .reply('compute/servers', { path: '/v2.1/', status: 500, body: {} })
      .reply('compute/servers', { path: '/', fault: 'ECONNREFUSED' });

    assert.deepEqual(await check({ compute: COMPUTE, image: 'http://127.0.0.1:9292/v2' }), []);
  });

  it('may be called the highest ones', async () => {
    const versions = [{ id: 'v1', status: 'CURRENT', max_version: '1.11', min_version: '1.1' }];
    upstream
      .reply('container-infra/clusters', { path: '/v1/', body: { id: 'v1' } })
      .reply('container-infra/clusters', { path: '/', body: { versions } });

    assert.deepEqual(await check({ container: CONTAINERS }), [
      { service: 'container', needed: '1.12', offered: '1.1 to 1.11' },
    ]);
  });
});
