import assert from 'node:assert/strict';
import { osVersionOf } from '@gateway/libraries';
import { imageRecord } from '@gateway/openstack';
import { asRecord } from '../../support/doubles/as-record.ts';

describe('the operating system of an image', () => {
  const systemOf = (properties: object) => osVersionOf(asRecord(imageRecord, { id: 'image', ...properties }));

  it('has the form of the catalogue', () => {
    assert.equal(systemOf({ os_distro: 'ubuntu', os_version: '22.04' }), 'ubuntu-22.04');
  });

  it('is unknown unless the image names it and its version', () => {
    for (const properties of [{}, { os_distro: 'ubuntu' }, { os_version: '22.04' }, { os_distro: null }])
      assert.equal(systemOf(properties), undefined);
  });
});
