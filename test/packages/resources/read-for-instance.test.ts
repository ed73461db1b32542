import assert from 'node:assert/strict';
import type { InstanceCreation } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import { type CreationContext, readForInstance } from '@gateway/resources';

const found = {
  flavor: { name: 'm1.tiny', vcpus: 1, ram: 512, extra_specs: {} },
  bootVolumeSizeGb: 20,
  osVersion: null,
  networkId: 'net',
  isExternal: false,
  nics: [],
  volumeZone: null,
};

/** The context of a job whose request has found this at a time, in a cloud that has lost the flavor since. */
function contextAt(at: number): CreationContext<InstanceCreation> {
  const get = async () => {
    throw new Error('The flavor is gone.');
  };
  const options = { nics: [], securityGroupIds: [], serverGroupId: null };
  const compute = { flavors: { get }, keypairs: { get } };
  const client = { compute, image: { images: { get } }, network: { networks: { get, list: get } } };
  return {
    projectId: 'mine',
    config: { instances: {} },
    input: { availabilityZone: null, keyName: null, options, found: { ...found, at } },
    owner: () => client as unknown as BoundClient,
  } as unknown as CreationContext<InstanceCreation>;
}

describe('what a job needs to know of an instance', () => {
  it('comes from a request that has just read it', async () => {
    const at = Date.now() - 1_000;

    assert.deepEqual(await readForInstance(contextAt(at)), { ...found, at });
  });

  it('is read again if the job has waited, whatever its clock', async () => {
    for (const at of [Date.now() - 60_000, Date.now() + 60_000])
      await assert.rejects(readForInstance(contextAt(at)), { message: 'The flavor is gone.' });
  });
});
