import {
  type BoundClient,
  type CatalogEndpointRecord,
  type CatalogServiceRecord,
  UpstreamError,
} from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';
import { CachedList } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import { isOffered } from '../lists/is-offered.ts';
import {
  presentAgent,
  presentConductor,
  presentEngine,
  presentPool,
  presentService,
} from './service-rows.ts';
import type { ServiceStatus } from './service-status-shape.ts';

/** The addresses of a service in a region; null for missing ones. */
type CatalogEndpoints = ServiceStatus['endpoints'][number];

/** Reads at most ten lists, concurrently. */
export const serviceStatus = new CachedList<ServiceStatus>({
  name: 'serviceStatus',
  varyBy: 'nothing',
  dependsOn: ['hypervisor'],
  lifetime: 'adminSeconds',
  async load({ config, onIncomplete, openstack }) {
    const { services, timeLimits } = config;
    const parts = new DashboardParts(timeLimits.dashboardPartSeconds * 1000, onIncomplete);
    const rows = async <T, Row>(
      service: ServiceName,
      list: () => Promise<T[]>,
      present: (record: T) => Row,
    ): Promise<Row[]> => {
      if (!(await isOffered(openstack, services, service))) return [];
      const records = await parts.read(service, () => emptyIfRefused(list));
      return (records ?? []).map(present);
    };
    const [compute, blockStorage, agents, shares, engines, containers, conductors, endpoints, pools] =
      await Promise.all([
        rows('compute', () => openstack.compute.services.list(), presentService),
        rows('blockStorage', () => openstack.blockStorage.services.list(), presentService),
        rows('network', () => openstack.network.agents.list(), presentAgent),
        rows('sharedFileSystem', () => openstack.sharedFileSystem.services.list(), presentService),
        rows('orchestration', () => openstack.orchestration.services.list(), presentEngine),
        rows('container', () => openstack.container.services.list(), presentConductor),
        rows('containerInfra', () => openstack.containerInfra.services.list(), presentConductor),
        parts.read('identity', () => emptyIfRefused(() => readEndpoints(openstack))),
        rows('blockStorage', () => openstack.blockStorage.services.listPools(), presentPool),
      ]);
    return {
      compute,
      block_storage: blockStorage,
      network: agents,
      shared_file_system: shares,
      orchestration: engines,
      container: containers,
      container_infra: conductors,
      endpoints: endpoints ?? [],
      storage_pools: pools,
      unavailable: parts.unavailable,
    };
  },
});

/** Some clouds do not grant the gateway's administrators access to a list (403), or do not have it (404). */
async function emptyIfRefused<T>(list: () => Promise<T[]>): Promise<T[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof UpstreamError && [403, 404].includes(error.upstreamStatus ?? 0)) return [];
    throw error;
  }
}

async function readEndpoints({ identity }: BoundClient): Promise<CatalogEndpoints[]> {
  const [services, endpoints] = await Promise.all([
    identity.catalog.services(),
    identity.catalog.endpoints(),
  ]);
  const enabled = endpoints.filter((endpoint) => endpoint.enabled);
  const byService = Map.groupBy(enabled, ({ service_id }) => service_id);
  return services
    .flatMap((service) => presentEndpoints(service, byService.get(service.id) ?? []))
    .sort((a, b) => a.service.localeCompare(b.service) || a.region.localeCompare(b.region));
}

/** One row for each region. */
function presentEndpoints(
  { id, name, type }: CatalogServiceRecord,
  endpoints: readonly CatalogEndpointRecord[],
): CatalogEndpoints[] {
  const regions = Map.groupBy(endpoints, ({ region_id }) => region_id);
  return [...regions].map(([region, ofRegion]) => {
    const url = (face: string) => ofRegion.find((endpoint) => endpoint.interface === face)?.url ?? null;
    return {
      service_id: id,
      name,
      service: type,
      region,
      endpoints: { public: url('public'), internal: url('internal'), admin: url('admin') },
    };
  });
}
