import assert from 'node:assert/strict';
import { type CatalogEntry, catalogEntry, resolveEndpoints } from '@gateway/openstack';
import { asRecord } from '../../support/doubles/as-record.ts';
import { identityConfig } from './cloud.ts';

function entry(
  type: string,
  url: string,
  over: { interface?: string; region_id?: string } = {},
): CatalogEntry {
  const endpoint = { interface: 'public', region_id: 'RegionOne', region: null, url, ...over };
  return { type, name: '', endpoints: [endpoint] };
}

describe('endpoints from the service catalog', () => {
  it('have the configured region and interface', () => {
    const catalog = [
      entry('compute', 'http://two/v2.1', { region_id: 'RegionTwo' }),
      entry('compute', 'http://internal/v2.1', { interface: 'internal' }),
      entry('compute', 'http://one/v2.1'),
    ];

    const endpoints = resolveEndpoints(catalog, identityConfig, 'p');

    assert.equal(endpoints.compute, 'http://one/v2.1');
  });

  for (const none of [{ region_id: null, region: null }, { region_id: '' }, { region_id: undefined }]) {
    it(`may have no region: ${JSON.stringify(none)}`, () => {
      const url = 'http://everywhere/v2.1';
      const sent = { type: 'compute', endpoints: [{ interface: 'public', url, ...none }] };
      const everywhere = asRecord(catalogEntry, sent);
      const other = entry('compute', 'http://two/v2.1', { region_id: 'RegionTwo' });
      const own = entry('compute', 'http://one/v2.1');

      const alone = resolveEndpoints([other, everywhere], identityConfig, 'p');
      const beside = resolveEndpoints([everywhere, own], identityConfig, 'p');

      assert.deepEqual([alone.compute, beside.compute], [url, 'http://one/v2.1']);
    });
  }

  it('leave out services that the catalog lacks', () => {
    assert.deepEqual(resolveEndpoints([], identityConfig, 'p'), { identity: 'http://127.0.0.1:5000/v3' });
  });

  for (const [type, service] of [
    ['volumev3', 'blockStorage'],
    ['block-storage', 'blockStorage'],
    ['sharev2', 'sharedFileSystem'],
    ['shared-file-system', 'sharedFileSystem'],
    ['container-infra', 'containerInfra'],
    ['container-infrastructure-management', 'containerInfra'],
    ['container-infrastructure', 'containerInfra'],
    ['application-container', 'container'],
    ['container', 'container'],
    ['block-store', 'blockStorage'],
    ['load-balancer', 'loadBalancer'],
  ] as const) {
    it(`map the type ${type} to ${service}`, () => {
      const endpoints = resolveEndpoints([entry(type, 'http://host/v9')], identityConfig, 'p');

      assert.equal(endpoints[service], 'http://host/v9');
    });
  }

  for (const [given, expected] of [
    ['http://host:9292', 'http://host:9292/v2'],
    ['http://host:9292/', 'http://host:9292/v2'],
    ['http://host/image/v2/', 'http://host/image/v2'],
    ['http://v2.example/image', 'http://v2.example/image/v2'],
    ['https://proxy/v1/image', 'https://proxy/v1/image/v2'],
    ['https://proxy/api/v1/openstack/image/v2', 'https://proxy/api/v1/openstack/image/v2'],
  ] as const) {
    it(`append the version to ${given}`, () => {
      assert.equal(resolveEndpoints([entry('image', given)], identityConfig, 'p').image, expected);
    });
  }

  for (const [given, expected] of [
    ['https://proxy/v1/volume', 'https://proxy/v1/volume/v3'],
    ['https://proxy/v1/volume/v3', 'https://proxy/v1/volume/v3'],
    ['https://proxy/v1/volume/v3/p1', 'https://proxy/v1/volume/v3/p1'],
    ['https://proxy/v1/volume/v3/$(project_id)s', 'https://proxy/v1/volume/v3/p1'],
    [`https://proxy/volume/v3/${'a'.repeat(32)}`, `https://proxy/volume/v3/${'a'.repeat(32)}`],
  ] as const) {
    it(`find the version of ${given} before the project`, () => {
      const endpoints = resolveEndpoints([entry('volumev3', given)], identityConfig, 'p1');

      assert.equal(endpoints.blockStorage, expected);
    });
  }

  it('are overridden by configured URLs, with the project id substituted', () => {
    const config = {
      ...identityConfig,
      url: 'http://identity:5000/v3/',
      endpoints: { blockStorage: 'http://mine/v3/%(project_id)s' },
    };

    const endpoints = resolveEndpoints([entry('volumev3', 'http://theirs/v3/x')], config, 'p1');

    assert.deepEqual(endpoints, {
      identity: 'http://identity:5000/v3',
      blockStorage: 'http://mine/v3/p1',
    });
  });
});
