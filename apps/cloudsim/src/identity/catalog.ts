import { fixedHexId } from '../common/ids.ts';
import type { IdentityCloud } from './cloud.ts';

interface CatalogEntry {
  type: string;
  name: string;
  /** Path on the port that all services share. */
  path: string;
}

const SERVICES: CatalogEntry[] = [
  { type: 'identity', name: 'keystone', path: '/identity/v3' },
  { type: 'compute', name: 'nova', path: '/compute/v2.1' },
  { type: 'placement', name: 'placement', path: '/placement' },
  { type: 'image', name: 'glance', path: '/image' },
  { type: 'volumev3', name: 'cinderv3', path: '/volume/v3/$(project_id)' },
  { type: 'block-storage', name: 'cinder', path: '/volume/v3/$(project_id)' },
  { type: 'network', name: 'neutron', path: '/network' },
  { type: 'load-balancer', name: 'octavia', path: '/load-balancer' },
  { type: 'container-infra', name: 'magnum', path: '/container-infra/v1' },
  { type: 'container', name: 'zun', path: '/container/v1' },
  { type: 'key-manager', name: 'barbican', path: '/key-manager' },
  { type: 'sharev2', name: 'manilav2', path: '/share/v2' },
  { type: 'shared-file-system', name: 'manila', path: '/share/v2' },
];

const PROJECT = '$(project_id)';
const INTERFACES = ['public', 'internal', 'admin'];

interface Endpoint {
  id: string;
  serviceId: string;
  interface: string;
  url: string;
}

export function services(): { id: string; type: string; name: string }[] {
  return SERVICES.map(({ type, name }) => ({ id: fixedHexId(`service:${type}`), type, name }));
}

/** All endpoints of the cloud, with the project's id in their URLs. */
export function endpoints(publicUrl: string, projectId: string): Endpoint[] {
  return SERVICES.flatMap(({ type, path }) =>
    INTERFACES.map((face) => ({
      id: fixedHexId(`endpoint:${type}:${face}`),
      serviceId: fixedHexId(`service:${type}`),
      interface: face,
      url: `${publicUrl}${path.replace(PROJECT, projectId)}`,
    })),
  );
}

/** The service catalog of a token. `projectId` is null for a token without a project. */
export function catalog(
  { publicUrl, region }: Pick<IdentityCloud, 'publicUrl' | 'region'>,
  projectId: string | null,
): unknown[] {
  const needsProject = new Set(
    SERVICES.filter(({ path }) => path.includes(PROJECT)).map(({ type }) => fixedHexId(`service:${type}`)),
  );
  const all = endpoints(publicUrl, projectId ?? '').filter(
    ({ serviceId }) => projectId !== null || !needsProject.has(serviceId),
  );
  return services().map(({ id, type, name }) => ({
    endpoints: all
      .filter((endpoint) => endpoint.serviceId === id)
      .map((endpoint) => ({
        id: endpoint.id,
        interface: endpoint.interface,
        region_id: region,
        url: endpoint.url,
        region,
      })),
    id,
    type,
    name,
  }));
}
