import type { IdentityConfig, ServiceName } from '@gateway/config';
import { trimEndOf } from '@gateway/core';

/** Base URL of each service there is, with version and without a slash at the end. */
export type Endpoints = Partial<Record<ServiceName, string>>;

/** The catalog as a token's body carries it. */
export interface CatalogEntry {
  type: string;
  name?: string;
  endpoints: { interface: string; region_id?: string | null; region?: string | null; url: string }[];
}

interface Convention {
  /** In order of preference. */
  types: readonly string[];
  /** Appended when the catalog names the service without a version. */
  version: string;
}

const conventions: Record<ServiceName, Convention> = {
  identity: { types: ['identity'], version: '/v3' },
  compute: { types: ['compute'], version: '/v2.1' },
  image: { types: ['image'], version: '/v2' },
  blockStorage: { types: ['block-storage', 'volumev3'], version: '/v3' },
  network: { types: ['network'], version: '/v2.0' },
  sharedFileSystem: { types: ['shared-file-system', 'sharev2'], version: '/v2' },
  loadBalancer: { types: ['load-balancer'], version: '/v2.0' },
  containerInfra: {
    types: ['container-infra', 'container-infrastructure-management'],
    version: '/v1',
  },
  container: { types: ['container'], version: '/v1' },
  placement: { types: ['placement'], version: '' },
};

export const serviceNames = Object.keys(conventions) as ServiceName[];

/**
 * Where each service is for a caller of this project. Configured endpoints win over the catalog's; the identity
 * service is always the configured one, so that one address serves calls with and without a project.
 */
export function resolveEndpoints(
  catalog: readonly CatalogEntry[],
  config: Pick<IdentityConfig, 'url' | 'region' | 'interface' | 'endpoints'>,
  projectId: string,
): Endpoints {
  const endpoints: Endpoints = {};
  for (const service of serviceNames) {
    const configured = config.endpoints[service] ?? (service === 'identity' ? config.url : undefined);
    const url = configured ?? catalogUrl(catalog, service, config);
    if (url !== undefined) endpoints[service] = baseUrl(service, fillProject(url, projectId));
  }
  return endpoints;
}

/** The URL with the service's version at its end, unless a version is already in it. */
export function baseUrl(service: ServiceName, url: string): string {
  const bare = trimEndOf(url, '/');
  return /\/v\d+(\.\d+)?(\/|$)/.test(bare) ? bare : bare + conventions[service].version;
}

function catalogUrl(
  catalog: readonly CatalogEntry[],
  service: ServiceName,
  config: Pick<IdentityConfig, 'region' | 'interface'>,
): string | undefined {
  for (const type of conventions[service].types) {
    const found = catalog
      .filter((entry) => entry.type === type)
      .flatMap((entry) => entry.endpoints)
      .find(
        (endpoint) =>
          endpoint.interface === config.interface &&
          (config.region === '' || (endpoint.region_id ?? endpoint.region) === config.region),
      );
    if (found !== undefined) return found.url;
  }
  return undefined;
}

function fillProject(url: string, projectId: string): string {
  return url.replace(/[%$]\((?:project_id|tenant_id)\)s/g, projectId);
}
