import type { SpareReply } from '../doubles/upstream.ts';

const IDENTITY = 'http://127.0.0.1:5000';
const COMPUTE = 'http://127.0.0.1:8774';
const BLOCK_STORAGE = 'http://127.0.0.1:8776';
const NETWORK = 'http://127.0.0.1:9696';
const SHARED_FILE_SYSTEM = 'http://127.0.0.1:8786';
const LOAD_BALANCER = 'http://127.0.0.1:9876';
const CONTAINER_INFRA = 'http://127.0.0.1:9511';

const DEFAULT = { id: 'default', name: 'Default', description: '', enabled: true };

/**
 * The lists with the names that stand beside ids: no name but that of a domain. A test that is about
 * something else need not declare them.
 */
export const listsOfNames: readonly SpareReply[] = [
  { origin: IDENTITY, path: /^\/v3\/domains\?limit=1000$/, body: { domains: [DEFAULT] } },
  { origin: IDENTITY, path: /^\/v3\/projects\?limit=1000$/, body: { projects: [] } },
  { origin: IDENTITY, path: /^\/v3\/users\?(domain_id=default&)?limit=1000$/, body: { users: [] } },
  { origin: COMPUTE, path: /^\/v2\.1\/servers\/detail(\?all_tenants=1)?$/, body: { servers: [] } },
  { origin: BLOCK_STORAGE, path: /^\/v3\/\w+\/volumes\/detail(\?all_tenants=1)?$/, body: { volumes: [] } },
  {
    origin: NETWORK,
    path: /^\/v2\.0\/networks(\?fields=id&fields=name&fields=status&.*)?$/,
    body: { networks: [] },
  },
  {
    origin: NETWORK,
    path: /^\/v2\.0\/subnets\?fields=id&fields=name(&fields=network_id&fields=project_id&fields=tenant_id)?&limit=1000$/,
    body: { subnets: [] },
  },
  {
    origin: NETWORK,
    path: /^\/v2\.0\/security-groups(\?.*)?$/,
    body: { security_groups: [] },
  },
  {
    origin: SHARED_FILE_SYSTEM,
    path: /^\/v2\/\w*\/?share-networks\/detail(\?all_tenants=1)?$/,
    body: { share_networks: [] },
  },
  {
    origin: SHARED_FILE_SYSTEM,
    path: /^\/v2\/\w*\/?shares\/detail\?all_tenants=1&with_count=true&limit=1000&offset=0$/,
    body: { shares: [] },
  },
  { origin: LOAD_BALANCER, path: /^\/v2\.0\/lbaas\/pools\?loadbalancer_id=/, body: { pools: [] } },
  { origin: CONTAINER_INFRA, path: /^\/v1\/clustertemplates\/detail$/, body: { clustertemplates: [] } },
];
