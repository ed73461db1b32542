import { trimEndChars } from '@gateway/core';
import type { IdentityConfig, ServiceName } from '@gateway/platform';
import { item, key, listOf, text, textOrNull } from './records/fields.ts';
import { declareRecord, type RecordOf } from './records/record.ts';

/** Base URL of each available service, with version and without a trailing slash. */
export type Endpoints = Partial<Record<ServiceName, string>>;

/** An entry of the service catalog, also in the body of a token. */
export const catalogEntry = declareRecord('identity', 'catalog_entry', {
  type: key(),
  name: text(),
  endpoints: listOf(item({ url: key(), interface: text(), region_id: textOrNull(), region: textOrNull() })),
});

export type CatalogEntry = RecordOf<typeof catalogEntry>;

interface Convention {
  /** In order of preference. */
  types: readonly string[];
  /** Appended if the catalog's URL has no version. */
  version: string;
}

const CONVENTIONS: Record<ServiceName, Convention> = {
  identity: { types: ['identity'], version: '/v3' },
  compute: { types: ['compute'], version: '/v2.1' },
  image: { types: ['image'], version: '/v2' },
  blockStorage: { types: ['block-storage', 'volumev3', 'block-store'], version: '/v3' },
  network: { types: ['network'], version: '/v2.0' },
  sharedFileSystem: { types: ['shared-file-system', 'sharev2'], version: '/v2' },
  loadBalancer: { types: ['load-balancer'], version: '/v2.0' },
  containerInfra: {
    types: ['container-infra', 'container-infrastructure-management', 'container-infrastructure'],
    version: '/v1',
  },
  container: { types: ['container', 'application-container'], version: '/v1' },
  placement: { types: ['placement'], version: '' },
  orchestration: { types: ['orchestration'], version: '/v1' },
  keyManager: { types: ['key-manager'], version: '/v1' },
};

/** At the end of a URL. */
const VERSION = /\/v\d+(?:\.\d+)?$/;
/** The id of a project at the end of a URL. */
const PROJECT = /\/[0-9a-f-]{32,36}$/;

export const serviceNames = Object.keys(CONVENTIONS) as ServiceName[];

/** The version that the gateway appends to a URL without one; '' for a service without. */
export function apiVersion(service: ServiceName): string {
  return CONVENTIONS[service].version.slice(1);
}

/** The types under which a service may be in the catalog, in order of preference. */
export function serviceTypes(service: ServiceName): readonly string[] {
  return CONVENTIONS[service].types;
}

/**
 * Base URLs of the services for a project. Configured endpoints override the catalog. The identity service
 * always has its configured URL, so that calls with and without a project use the same address.
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
    if (url !== undefined)
      endpoints[service] = baseUrl(service, substituteProjectId(url, projectId), projectId);
  }
  return endpoints;
}

/**
 * The URL without a trailing slash. Appends the service's version if the URL does not end with a version, or
 * with a version and a project: a version before that belongs to the path of a proxy.
 */
export function baseUrl(service: ServiceName, url: string, projectId = ''): string {
  const trimmed = trimEndChars(url, '/');
  const { version } = CONVENTIONS[service];
  return VERSION.test(withoutProject(trimmed, projectId)) ? trimmed : trimmed + version;
}

/** Where a service describes its versions, from the base URL: this version, then all. */
export function versionRoots(service: ServiceName, url: string): string[] {
  if (CONVENTIONS[service].version === '') return [`${url}/`];
  const ofVersion = VERSION.test(url) ? url : url.slice(0, url.lastIndexOf('/'));
  return [`${ofVersion}/`, `${ofVersion.replace(VERSION, '')}/`];
}

function withoutProject(url: string, projectId: string): string {
  const end = `/${projectId}`;
  if (projectId !== '' && url.endsWith(end)) return url.slice(0, -end.length);
  return url.replace(PROJECT, '');
}

/** The address of the identity service for everybody; undefined if the catalog has none in the region. */
export function publicIdentityUrl(
  catalog: readonly CatalogEntry[],
  { region }: Pick<IdentityConfig, 'region'>,
): string | undefined {
  const url = catalogUrl(catalog, 'identity', { region, interface: 'public' });
  return url === undefined ? undefined : baseUrl('identity', url);
}

function catalogUrl(
  catalog: readonly CatalogEntry[],
  service: ServiceName,
  config: Pick<IdentityConfig, 'region' | 'interface'>,
): string | undefined {
  for (const type of CONVENTIONS[service].types) {
    const endpoints = catalog
      .filter((entry) => entry.type === type)
      .flatMap((entry) => entry.endpoints ?? [])
      .filter((endpoint) => endpoint.interface === config.interface);
    const inRegion = endpoints.find(
      (endpoint) => config.region === '' || regionOf(endpoint) === config.region,
    );
    // An endpoint without a region serves all of them.
    const found = inRegion ?? endpoints.find((endpoint) => regionOf(endpoint) === '');
    if (found !== undefined) return found.url;
  }
  return undefined;
}

function regionOf({ region, region_id }: CatalogEntry['endpoints'][number]): string {
  return region_id || region || '';
}

function substituteProjectId(url: string, projectId: string): string {
  return url.replace(/[%$]\((?:project_id|tenant_id)\)s/g, projectId);
}
