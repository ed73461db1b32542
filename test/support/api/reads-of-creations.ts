import type { SpareReply } from '../doubles/upstream.ts';

const COMPUTE = 'http://127.0.0.1:8774';
const BLOCK_STORAGE = 'http://127.0.0.1:8776';
const NETWORK = 'http://127.0.0.1:9696';
const IMAGE = 'http://127.0.0.1:9292';

const flavorOf = (id: string, name: string) => ({ id, name, vcpus: 1, ram: 512, disk: 1, extra_specs: {} });
const network = { id: 'net', name: 'net', shared: true, subnets: ['subnet'], 'router:external': false };
const image = { name: 'debian-12', status: 'active', min_ram: 0, min_disk: 1 };
const ids = {
  image: '0a1b2c3d-0000-4000-8000-000000000001',
  flavor: '0a1b2c3d-0000-4000-8000-000000000002',
};

/**
 * What the checks of `instanceRequest()` and of a lite cluster read: everything is there, and no quota is
 * limited. A test that is about something else need not declare the calls.
 */
export const readsOfCreations: readonly SpareReply[] = [
  { origin: IMAGE, path: new RegExp(`^/v2/images/${ids.image}$`), body: { ...image, id: ids.image } },
  { origin: IMAGE, path: /^\/v2\/images\?.*name=debian-12/, body: { images: [{ ...image, id: ids.image }] } },
  {
    origin: COMPUTE,
    path: new RegExp(`^/v2\\.1/flavors/${ids.flavor}$`),
    body: { flavor: flavorOf(ids.flavor, 'm1.tiny') },
  },
  {
    origin: COMPUTE,
    path: /^\/v2\.1\/flavors\/detail$/,
    body: { flavors: [flavorOf('1', 'm1.tiny'), flavorOf('2', 'm1.small')] },
  },
  { origin: COMPUTE, path: /^\/v2\.1\/os-keypairs\/key$/, body: { keypair: { name: 'key' } } },
  { origin: COMPUTE, path: /^\/v2\.1\/limits$/, body: { limits: { absolute: {} } } },
  { origin: BLOCK_STORAGE, path: /^\/v3\/[\w-]+\/limits$/, body: { limits: { absolute: {} } } },
  { origin: NETWORK, path: /^\/v2\.0\/quotas\/[\w-]+\/details\.json$/, body: { quota: {} } },
  { origin: NETWORK, path: /^\/v2\.0\/networks\/net$/, body: { network } },
  {
    origin: NETWORK,
    path: /^\/v2\.0\/networks\?project_id=[\w-]+&router%3Aexternal=false/,
    body: { networks: [network] },
  },
];
