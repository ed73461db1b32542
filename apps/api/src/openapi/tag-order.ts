import type { AnyEndpoint } from '../pipeline/endpoint.ts';

/**
 * The order in which a reader gets to know the gateway. Routes have another order: literal paths come before
 * parameters.
 */
const ORDER = [
  'auth',
  'profile',
  'images',
  'flavors',
  'instances',
  'keypairs',
  'volumes',
  'volume-backups',
  'volume-snapshots',
  'volume-transfers',
  'auto-backup',
  'networks',
  'floating-ips',
  'routers',
  'security-groups',
  'file-storage',
  'loadbalancers',
  'dashboard',
  'libraries',
  'site',
  'clusters',
  'containers',
  'lite',
  'lite-health',
  'jobs',
  'admin',
  'instance-callback',
  'file-storage-callback',
  'lite-callback',
  'health',
];

/** The endpoints by tag. @throws for a tag without a place */
export function inTagOrder(endpoints: readonly AnyEndpoint[]): AnyEndpoint[] {
  const placed = endpoints.map((endpoint) => {
    const place = ORDER.indexOf(endpoint.tag.name);
    if (place < 0) throw new Error(`The tag ${endpoint.tag.name} has no place in the document.`);
    return { endpoint, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ endpoint }) => endpoint);
}
