import assert from 'node:assert/strict';
import type { BoundClient } from '@gateway/openstack';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { testCloud } from './cloud.ts';

const PROJECT = 'e'.repeat(32);

/** Writes with the services' own names of what they change, and their responses. */
const WRITES: Record<
  string,
  {
    fixture: string;
    method?: string;
    key: string;
    name: string;
    write: (client: BoundClient) => Promise<void>;
  }
> = {
  'limits of the compute service': {
    fixture: 'compute/quotas',
    key: 'quota_set',
    name: 'cores',
    write: ({ compute }) => compute.quotas.update(PROJECT, { cores: 50 }, { force: true }),
  },
  'limits of the block storage service': {
    fixture: 'block-storage/quotas',
    key: 'quota_set',
    name: 'gigabytes',
    write: ({ blockStorage }) => blockStorage.quotas.update(PROJECT, { gigabytes: 50 }),
  },
  'limits of the network service': {
    fixture: 'network/quota-details',
    key: 'quota',
    name: 'floatingip',
    write: ({ network }) => network.quotas.update(PROJECT, { floating_ips: 50 }),
  },
  'limits of the shared file system service': {
    fixture: 'shared-file-system/shares',
    key: 'quota_set',
    name: 'snapshots',
    write: ({ sharedFileSystem }) => sharedFileSystem.quotas.update(PROJECT, { share_snapshots: 50 }),
  },
  'limits of the load balancer service': {
    fixture: 'load-balancer/load-balancers',
    key: 'quota',
    name: 'pool',
    write: ({ loadBalancer }) => loadBalancer.quotas.update(PROJECT, { pools: 50 }),
  },
  'extra specs of the compute service': {
    fixture: 'compute/flavor-extra-specs',
    method: 'POST',
    key: 'extra_specs',
    name: 'hw:numa',
    write: ({ compute }) => compute.flavors.setExtraSpecs('f1', { 'hw:numa': '50' }),
  },
  'extra specs of the block storage service': {
    fixture: 'block-storage/volumes',
    method: 'POST',
    key: 'extra_specs',
    name: 'backend',
    write: ({ blockStorage }) => blockStorage.volumeTypes.setExtraSpecs('t1', { backend: '50' }),
  },
};

describe('a write whose response says', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  for (const [title, { fixture, key, method = 'PUT', name, write }] of Object.entries(WRITES)) {
    const service = title.replace(/^.* of the /, '');
    const reply = (body: object) => upstream.reply(fixture, { method, path: /./, status: 200, body });

    it(`something else than what was asked for fails: ${title}`, async () => {
      reply({ [key]: { [name]: 51, other: 1 } });

      await assert.rejects(write(testCloud().mine()), {
        status: 409,
        code: 'conflict',
        message: `The ${service} has accepted the change, but not made it: ${name} stays 51.`,
      });
    });

    it(`nothing or the same is done: ${title}`, async () => {
      reply({ [key]: { [name]: 50 } });
      await write(testCloud().mine());
      reply({ [key]: { other: 1 } });
      await write(testCloud().mine());

      upstream.assertAllUsed();
    });
  }
});
