import assert from 'node:assert/strict';
import { isOffered } from '@gateway/resources';
import { workerClientWithout } from '../openstack/cloud.ts';

const enabled = { sharedFs: true, container: true, containerInfra: true, lite: true };

describe('isOffered', () => {
  it('is true for what the catalog has and nothing switches off', async () => {
    const openstack = workerClientWithout('loadBalancer');

    assert.equal(await isOffered(openstack, enabled, 'sharedFileSystem'), true);
    assert.equal(await isOffered(openstack, enabled, 'blockStorage'), true);
  });

  it('is false for what the catalog lacks', async () => {
    const openstack = workerClientWithout('loadBalancer', 'sharedFileSystem');

    assert.equal(await isOffered(openstack, enabled, 'loadBalancer'), false);
    assert.equal(await isOffered(openstack, enabled, 'sharedFileSystem'), false);
  });

  it('is false for what the configuration switches off', async () => {
    const openstack = workerClientWithout();

    assert.equal(await isOffered(openstack, { ...enabled, sharedFs: false }, 'sharedFileSystem'), false);
    assert.equal(await isOffered(openstack, { ...enabled, sharedFs: false }, 'blockStorage'), true);
  });
});
