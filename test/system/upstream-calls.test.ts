import assert from 'node:assert/strict';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import type { Cloudsim } from '../../apps/cloudsim/src/server.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { growCloud, growServer, growTo } from '../support/load/cloudsim-rows.ts';
import { coldCaches } from '../support/stacks/cache-lifetimes.ts';
import { type CloudInProcess, startCloudInProcess } from '../support/stacks/cloud-in-process.ts';
import { createOneOfEach } from '../support/subjects/one-of-each.ts';

/**
 * Shares with their export locations: the list twice, and the locations of one share of the storage system.
 */
const LISTED_SHARES = [
  'shared-file-system shares.export_locations',
  'shared-file-system shares.list_detail',
  'shared-file-system shares.list_detail',
];

/** The service does not say what is in use. */
const LOAD_BALANCER_QUOTA = [
  'load-balancer healthmonitors.list',
  'load-balancer listeners.list',
  'load-balancer loadbalancers.list',
  'load-balancer pools.list',
  'load-balancer quotas.get',
];

/**
 * The upstream calls of each read without a cache, with their names in the simulated cloud. Add new endpoints
 * for reads here. Endpoints of jobs, queues, events, webhooks, lite clusters and configuration make no call,
 * but for names.
 */
const callsOf: Record<string, readonly string[]> = {
  '/api/images': ['image images.list'],
  '/api/images/:image_id': ['image images.get'],
  '/api/flavors': ['compute flavors.list_detail'],
  '/api/availability-zones': ['block-storage availability_zones.list', 'compute availability_zones.list'],
  '/api/server-groups': ['compute server_groups.list'],
  '/api/keypairs': ['compute keypairs.list'],
  '/api/keypairs/types': [],
  '/api/instances': [
    'block-storage volumes.list_detail',
    'compute flavors.list_detail',
    'compute servers.list_detail',
    'image images.list',
  ],
  '/api/instances/:instance_id': [
    'block-storage volumes.get',
    'compute flavors.list_detail',
    'compute servers.get',
  ],
  '/api/instances/:instance_id/owner': ['compute servers.get'],
  '/api/instances/:instance_id/console': ['compute servers.create_console', 'compute servers.get'],
  '/api/instances/:instance_id/log': ['compute servers.get', 'compute servers.os-getConsoleOutput'],
  '/api/instances/:instance_id/volumes': [
    'block-storage volumes.list_detail',
    'compute servers.get',
    'compute volume_attachments.list',
  ],
  '/api/instances/:instance_id/interfaces': ['compute servers.get', 'network ports.list'],
  '/api/instances/:instance_id/security-groups': [
    'compute servers.get',
    'network ports.list',
    'network security_groups.list',
  ],
  // A record of the gateway's own.
  '/api/history': [],
  '/api/volumes': ['block-storage volumes.list_detail'],
  '/api/volumes/:volume_id': ['block-storage volumes.get'],
  '/api/volumes/backups': ['block-storage backups.list_detail'],
  '/api/volumes/backups/:backup_id': ['block-storage backups.get'],
  '/api/volumes/transfers': ['block-storage transfers.list_detail'],
  '/api/volumes/backups/auto-backup/:volume_id': ['block-storage volumes.get'],
  '/api/file-storage': LISTED_SHARES,
  '/api/file-storage/:file_storage_id': [
    'shared-file-system shares.export_locations',
    'shared-file-system shares.get',
  ],
  '/api/file-storage/:file_storage_id/access-rules': [
    'shared-file-system access_rules.list',
    'shared-file-system shares.get',
  ],
  '/api/file-storage/snapshots': ['shared-file-system snapshots.list_detail'],
  '/api/file-storage/snapshots/:share_snapshot_id': ['shared-file-system snapshots.get'],
  '/api/file-storage/quota': ['shared-file-system limits.get'],
  '/api/file-storage/share-networks': ['shared-file-system share_networks.list_detail'],
  '/api/file-storage/share-networks/:share_network_id': ['shared-file-system share_networks.get'],
  '/api/file-storage/security-services': ['shared-file-system security_services.list_detail'],
  '/api/file-storage/security-services/:security_service_id': [
    'shared-file-system security_services.list_detail',
    'shared-file-system share_networks.list_detail',
  ],
  '/api/file-storage/types': ['shared-file-system share_types.list'],
  '/api/libraries': LISTED_SHARES,
  '/api/libraries/shares': LISTED_SHARES,
  '/api/dashboard/summary': [
    'block-storage limits.get',
    'block-storage volumes.list_detail',
    'compute flavors.list_detail',
    'compute limits.get',
    'compute servers.list_detail',
    'image images.list',
  ],
  '/api/dashboard/config': [],
  '/api/dashboard/quotas': [
    'block-storage quotas.get',
    'compute keypairs.list',
    'compute quotas.detail',
    'network quotas.details',
    'shared-file-system limits.get',
  ],
  '/api/dashboard/gpu-available': [
    'compute hypervisors.list_detail',
    'placement allocation_candidates.list',
    'placement allocation_candidates.list',
    'placement allocation_candidates.list',
    'placement resource_providers.list',
  ],
  '/api/dashboard/usage': ['compute usage.get'],
  '/api/user-dashboard': [
    'block-storage volumes.list_detail',
    'block-storage volumes.list_detail',
    'compute flavors.list_detail',
    'compute servers.list_detail',
    'image images.list',
    'network floating_ips.list',
    'network networks.list',
    ...LISTED_SHARES,
  ],
  '/api/volume-types': ['block-storage volume_types.get', 'block-storage volume_types.list'],
  '/api/volume-snapshots': ['block-storage snapshots.list_detail'],
  '/api/volume-snapshots/:snapshot_id': ['block-storage snapshots.get'],
  '/api/networks/topology': [
    'compute servers.list_detail',
    'network floating_ips.list',
    'network networks.list',
    'network ports.list',
    'network routers.list',
    'network subnets.list',
  ],
  '/api/networks/floating-ips': ['network floating_ips.list'],
  '/api/routers': ['network ports.list', 'network routers.list'],
  '/api/routers/:router_id': [
    'network networks.get',
    'network ports.list',
    'network routers.get',
    'network subnets.list',
  ],
  '/api/security-groups': ['network security_groups.list'],
  '/api/networks/dns': ['network networks.list'],
  '/api/networks': ['network networks.list'],
  '/api/networks/:network_id': [
    'network networks.get',
    'network ports.list',
    'network routers.list',
    'network subnets.list',
  ],
  '/api/loadbalancers': ['load-balancer loadbalancers.list'],
  '/api/loadbalancers/quota': LOAD_BALANCER_QUOTA,
  '/api/loadbalancers/:lb_id': ['load-balancer loadbalancers.get'],
  '/api/loadbalancers/:lb_id/listeners': ['load-balancer listeners.list', 'load-balancer loadbalancers.get'],
  '/api/loadbalancers/:lb_id/pools': ['load-balancer loadbalancers.get', 'load-balancer pools.list'],
  '/api/loadbalancers/:lb_id/pools/:pool_id/members': [
    'load-balancer members.list',
    'load-balancer pools.get',
  ],
  '/api/loadbalancers/:lb_id/pools/:pool_id/health-monitor': [
    'load-balancer healthmonitors.get',
    'load-balancer pools.get',
  ],
  '/api/clusters/templates': ['container-infra templates.list_detail'],
  '/api/clusters': ['container-infra clusters.list_detail'],
  '/api/clusters/:cluster_id': ['container-infra clusters.get'],
  '/api/containers': ['container containers.list', 'network floating_ips.list', 'network networks.list'],
  '/api/containers/:container_id/log': ['container containers.get', 'container containers.log'],
  '/api/containers/:container_id': [
    'container containers.get',
    'network floating_ips.list',
    'network networks.list',
  ],
};

/** The same for administrators. Lists of the whole cloud are read in pages of a constant size. */
const callsOfAdministrators: Record<string, readonly string[]> = {
  '/api/admin/overview': [
    'compute hypervisors.list_detail',
    'compute servers.list_detail',
    'container containers.list',
    'placement allocation_candidates.list',
    'placement allocation_candidates.list',
    'placement allocation_candidates.list',
    'placement resource_providers.list',
    'shared-file-system shares.list_detail',
  ],
  // Without the quotas of the projects, which are cached for longer. One project has snapshots.
  '/api/admin/overview/projects': [
    'block-storage quotas.get',
    'block-storage snapshots.list_detail',
    'block-storage volumes.list_detail',
    'compute servers.list_detail',
    'identity projects.list',
  ],
  '/api/admin/monitoring/summary': [
    'block-storage volumes.list_detail',
    'compute hypervisors.list_detail',
    'compute servers.list_detail',
    'container containers.list',
    'network floating_ips.list',
    'network networks.list',
    'network ports.list',
    'network routers.list',
    'placement allocation_candidates.list',
    'placement allocation_candidates.list',
    'placement allocation_candidates.list',
    'shared-file-system shares.list_detail',
  ],
  '/api/admin/topology': [
    'compute servers.list_detail',
    'network floating_ips.list',
    'network networks.list',
    'network ports.list',
    'network routers.list',
    'network subnets.list',
  ],
  '/api/admin/hypervisors': [
    'compute hypervisors.list_detail',
    'placement allocation_candidates.list',
    'placement allocation_candidates.list',
    'placement allocation_candidates.list',
  ],
  '/api/admin/hypervisors/:id': [
    'compute hypervisors.get',
    'compute hypervisors.uptime',
    'compute servers.list_detail',
    'placement inventories.list',
  ],
  '/api/admin/hypervisors/:id/evacuation': ['compute hypervisors.get', 'compute servers.list_detail'],
  '/api/admin/services': [
    'block-storage pools.list',
    'block-storage services.list',
    'compute services.list',
    'container services.list',
    'container-infra services.list',
    'identity endpoints.list',
    'identity services.list',
    'network agents.list',
    'shared-file-system services.list',
  ],
  '/api/admin/all-instances': ['compute servers.list_detail'],
  '/api/admin/instances/:instance_id': [
    'block-storage volumes.get',
    'compute flavors.list_detail',
    'compute servers.get',
    'identity projects.get',
  ],
  '/api/admin/volumes/:volume_id': ['block-storage volumes.get', 'identity projects.get'],
  '/api/admin/images/:image_id': ['identity projects.get', 'image images.get'],
  '/api/admin/networks/:network_id': [
    'identity projects.get',
    'network networks.get',
    'network ports.list',
    'network routers.list',
    'network subnets.list',
  ],
  '/api/admin/file-storage/:file_storage_id': [
    'identity projects.get',
    'shared-file-system shares.export_locations',
    'shared-file-system shares.get',
  ],
  '/api/admin/clusters/:cluster_id': ['container-infra clusters.get', 'identity projects.get'],
  // Records of the gateway's own.
  '/api/admin/auto-backups': [],
  '/api/admin/volume-types': ['block-storage volume_types.list'],
  '/api/admin/volume-types/:volume_type_id/access': [
    'block-storage volume_types.get',
    'block-storage volume_types.list_access',
  ],
  '/api/admin/all-volumes': ['block-storage volumes.list_detail'],
  '/api/admin/all-images': ['image images.list', 'image images.list'],
  '/api/admin/all-clusters': ['container-infra clusters.list_detail'],
  '/api/admin/all-containers': [
    'container containers.list',
    'network floating_ips.list',
    'network networks.list',
  ],
  '/api/admin/all-file-storages': LISTED_SHARES,
  '/api/admin/file-storage': LISTED_SHARES,
  // A record of the gateway's own.
  '/api/admin/file-storage/builds': [],
  '/api/admin/all-networks': ['network networks.list'],
  '/api/admin/all-floating-ips': ['network floating_ips.list'],
  '/api/admin/all-routers': ['network ports.list', 'network routers.list'],
  '/api/admin/all-ports': ['network ports.list'],
  '/api/admin/flavors': ['compute flavors.list_detail'],
  '/api/admin/flavors/:flavor_id/access': [
    'compute flavors.get',
    'compute flavors.list_access',
    'identity projects.list',
  ],
  '/api/admin/projects/:project_id/purge': [
    'block-storage backups.list_detail',
    'block-storage snapshots.list_detail',
    'block-storage volumes.list_detail',
    'compute servers.list_detail',
    'container containers.list',
    'container-infra clusters.list_detail',
    'identity projects.get',
    'identity projects.list',
    'load-balancer loadbalancers.list',
    'network floating_ips.list',
    'network networks.list',
    'network ports.list',
    'network routers.list',
    'network security_groups.list',
    'shared-file-system security_services.list_detail',
    'shared-file-system share_networks.list_detail',
    'shared-file-system shares.list_detail',
    'shared-file-system snapshots.list_detail',
  ],
  '/api/admin/quotas/:project_id': [
    'block-storage quotas.get',
    'compute quotas.detail',
    'identity projects.get',
    ...LOAD_BALANCER_QUOTA,
    'network quotas.details',
    'shared-file-system quotas.detail',
  ],
  '/api/admin/gpu-aliases': ['compute flavors.list_detail'],
  '/api/admin/gpu-quotas/defaults': [],
  '/api/admin/gpu-quotas/:project_id': ['identity projects.get'],
  '/api/admin/audit': [],
  // A call for names only if something has failed.
  '/api/admin/failures': [],
  '/api/admin/read-only-mode': [],
  '/api/admin/leftovers': [
    'block-storage backups.list_detail',
    'block-storage volumes.list_detail',
    'compute servers.list_detail',
    'network floating_ips.list',
    'network ports.list',
    'network security_groups.list',
    'shared-file-system shares.list_detail',
  ],
  '/api/admin/timeseries/:resource_type': [],
  '/api/admin/users': ['identity domains.list', 'identity users.list'],
  '/api/admin/projects': ['identity projects.list'],
  '/api/admin/projects/names': ['identity projects.list'],
  '/api/admin/projects/:project_id/members': ['identity projects.get', 'identity role_assignments.list'],
  '/api/admin/domains': ['identity domains.list'],
  '/api/admin/domains/:domain_id': ['identity domains.get'],
  '/api/admin/groups': ['identity domains.list', 'identity groups.list'],
  '/api/admin/groups/:group_id/users': ['identity groups.list_users'],
  '/api/admin/roles': ['identity roles.list'],
};

/**
 * The further calls for the names beside ids, while no list of names is cached. A list of names is read again
 * where two reads of it do not overlap. A page of instances costs members no further call.
 */
const callsForNames: Record<string, readonly string[]> = {
  '/api/instances/:instance_id/interfaces': [
    'network networks.list',
    'network security_groups.list',
    'network subnets.list',
  ],
  '/api/instances/:instance_id': ['block-storage volumes.list_detail'],
  // Of the kinds that the entries here suggest.
  '/api/history': [
    'block-storage volumes.list_detail',
    'load-balancer loadbalancers.list',
    'network networks.list',
    'network routers.list',
    'network subnets.list',
    'shared-file-system shares.list_detail',
  ],
  '/api/volumes': ['compute servers.list_detail'],
  '/api/volumes/backups': ['block-storage volumes.list_detail'],
  '/api/volumes/backups/:backup_id': ['block-storage volumes.list_detail'],
  '/api/volumes/transfers': ['block-storage volumes.list_detail'],
  '/api/volumes/backups/auto-backup/:volume_id': ['block-storage volumes.list_detail'],
  '/api/user-dashboard': ['compute servers.list_detail'],
  '/api/file-storage/snapshots': ['shared-file-system shares.list_detail'],
  '/api/file-storage/snapshots/:share_snapshot_id': ['shared-file-system shares.list_detail'],
  '/api/file-storage/security-services': ['shared-file-system share_networks.list_detail'],
  '/api/volume-snapshots': ['block-storage volumes.list_detail'],
  '/api/volume-snapshots/:snapshot_id': ['block-storage volumes.list_detail'],
  '/api/networks/floating-ips': ['compute servers.list_detail', 'network networks.list'],
  '/api/routers': ['network networks.list', 'network subnets.list'],
  '/api/routers/:router_id': ['network networks.list'],
  '/api/networks/:network_id': ['network networks.list', 'network subnets.list'],
  '/api/loadbalancers': ['network networks.list', 'network subnets.list'],
  '/api/loadbalancers/:lb_id': ['network networks.list', 'network subnets.list'],
  '/api/clusters': ['container-infra templates.list_detail'],
  '/api/clusters/:cluster_id': ['container-infra templates.list_detail'],
  '/api/admin/topology': ['identity projects.list'],
  '/api/admin/hypervisors/:id': ['identity projects.list'],
  '/api/admin/hypervisors/:id/evacuation': ['identity projects.list'],
  '/api/admin/volume-types/:volume_type_id/access': ['identity projects.list'],
  '/api/admin/auto-backups': ['block-storage volumes.list_detail', 'identity projects.list'],
  '/api/admin/all-instances': ['identity domains.list', 'identity projects.list', 'identity users.list'],
  '/api/admin/instances/:instance_id': [
    'block-storage volumes.list_detail',
    'identity domains.list',
    'identity projects.list',
    'identity users.list',
  ],
  '/api/admin/volumes/:volume_id': ['identity domains.list', 'identity users.list'],
  '/api/admin/networks/:network_id': [
    'identity projects.list',
    'network networks.list',
    'network subnets.list',
  ],
  '/api/admin/file-storage/:file_storage_id': ['identity domains.list', 'identity users.list'],
  '/api/admin/clusters/:cluster_id': ['container-infra templates.list_detail'],
  '/api/admin/all-volumes': ['identity projects.list'],
  '/api/admin/all-clusters': ['container-infra templates.list_detail', 'identity projects.list'],
  '/api/admin/all-containers': ['identity projects.list'],
  '/api/admin/all-file-storages': ['identity domains.list', 'identity projects.list', 'identity users.list'],
  '/api/admin/file-storage': ['identity domains.list', 'identity projects.list', 'identity users.list'],
  '/api/admin/all-networks': ['identity projects.list'],
  '/api/admin/all-floating-ips': [
    'compute servers.list_detail',
    'identity projects.list',
    'network networks.list',
  ],
  '/api/admin/all-routers': ['identity projects.list', 'network networks.list', 'network subnets.list'],
  '/api/admin/all-ports': [
    'compute servers.list_detail',
    'identity projects.list',
    'network networks.list',
    'network ports.list',
    'network routers.list',
    'network subnets.list',
  ],
  '/api/admin/users': ['identity domains.list'],
  '/api/admin/projects': ['identity domains.list'],
  '/api/admin/groups': ['identity domains.list'],
  '/api/admin/groups/:group_id/users': ['identity domains.list'],
};

/** More than the longest list of calls for names, each of them read for several kinds of rows. */
const MAX_CALLS_FOR_NAMES = 16;

/**
 * Reads whose calls grow with the GPUs of the cloud, not with the users' resources: the placement service
 * returns the inventory of one device at a time. The response is cached for a minute.
 */
const GROWS_WITH_DEVICES = ['/api/admin/gpu-hosts'];

/** Lite clusters are records of the gateway's own; the copied security group is another project's. */
const FEW_ROWS = ['lite_cluster', 'security_group'];

/** The lists whose changes listeners learn, which all have rows here. */
const watchedLists = endpoints.flatMap(({ method, path, watched = '' }) =>
  method === 'GET' && watched !== '' && !FEW_ROWS.includes(watched) ? path : [],
);

/**
 * The number of rows of every kind, and of kinds with more rows in the whole cloud: more than the 100 ids
 * that one call names, and more than the 1,000 rows of a page.
 */
const SIZES = [
  { rows: 10, cloud: { servers: 10, ports: 20, projects: 5 } },
  { rows: 300, cloud: { servers: 1200, ports: 2500, projects: 120 } },
];

/** Asserts that a read has made these calls, and those for names that belong to its path. */
function assertCalls(path: string, expected: readonly string[], made: readonly string[]): void {
  const further = [...made];
  const found = expected.filter((call) => {
    const at = further.indexOf(call);
    if (at !== -1) further.splice(at, 1);
    return at !== -1;
  });
  assert.deepEqual(found, expected);
  assert.deepEqual([...new Set(further)], callsForNames[path] ?? []);
  assert.ok(further.length <= MAX_CALLS_FOR_NAMES, `${further.length} calls for names`);
}

describe('the upstream calls of a read', function () {
  this.timeout(300_000);
  let system: CloudInProcess | undefined;
  let cloudsim: Cloudsim;
  let gateway: GatewayClient;
  let administrator: GatewayClient;
  /** Parameters of paths. */
  let ids: Record<string, string>;

  before(async () => {
    system = await startCloudInProcess({
      cache: { ...coldCaches, quotas_seconds: 300 },
      services: { container: true },
      // A part that takes longer on a busy machine would make its calls during the next read.
      time_limits: { dashboard_part_seconds: 120 },
    });
    ({ cloudsim, gateway, administrator } = system);
    ids = { ...(await createOneOfEach(gateway, cloudsim)), resource_type: 'instances' };
  });

  after(() => system?.stop());

  /**
   * Operations of the calls of a read, without those that validate the token. Further pages of a list are not
   * counted, because services return at most 1,000 rows in one.
   */
  async function callsMadeBy(path: string, as = gateway): Promise<string[]> {
    const requestId = `req-${crypto.randomUUID()}`;
    const answer = await as.request('GET', path, undefined, requestId);
    assert.equal(answer.status, 200, answer.text);
    return cloudsim.cloud.calls
      .list({ service: null, operation: null, requestId })
      .filter(({ operation }) => operation?.startsWith('tokens.') !== true)
      .filter(({ path: called }) => !/[?&](?:marker=|offset=[1-9])/.test(called))
      .map(({ service, operation }) => `${service} ${operation}`)
      .sort();
  }

  for (const [access, table] of [
    ['project', callsOf],
    ['admin', callsOfAdministrators],
  ] as const) {
    it(`are in the table for every reading endpoint: ${access}`, () => {
      const reads = endpoints
        .filter(
          (one) =>
            one.method === 'GET' &&
            one.access === access &&
            !/jobs|queues|lite|events|webhooks/.test(one.path),
        )
        .map(({ path }) => path)
        .filter((path) => !GROWS_WITH_DEVICES.includes(path));
      assert.deepEqual(reads.toSorted(), Object.keys(table).toSorted());
    });
  }

  const withIds = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name);

  for (const { rows, cloud } of SIZES) {
    describe(`with ${rows} rows of everything`, () => {
      before(() => {
        growTo(cloudsim.cloud, rows);
        growServer(cloudsim.cloud, ids.instance_id ?? '', rows);
      });

      // Rows of other projects are among the copies.
      it('are of lists with many rows', async () => {
        for (const path of watchedLists) {
          const { length } = await gateway.read<unknown[]>(path);
          assert.ok(length > rows / 2, `GET ${path}: ${length} rows; create one of each, and let it grow`);
        }
      });

      for (const [path, expected] of Object.entries(callsOf)) {
        it(`GET ${path}: ${expected.length}`, async () => {
          assertCalls(path, expected, await callsMadeBy(withIds(path)));
        });
      }
    });

    const { servers, ports, projects } = cloud;
    describe(`with ${servers} instances, ${ports} ports and ${projects} projects`, () => {
      before(async () => {
        growCloud(cloudsim.cloud, cloud);
        // The quotas of a project that a slow machine did not read in time are read with the next request.
        await eventually(async () => {
          const calls = await callsMadeBy('/api/admin/overview/projects', administrator);
          return calls.includes('compute quotas.detail') ? undefined : true;
        });
      });

      for (const [path, expected] of Object.entries(callsOfAdministrators)) {
        it(`GET ${path}: ${expected.length}`, async () => {
          assertCalls(path, expected, await callsMadeBy(withIds(path), administrator));
        });
      }
    });
  }
});
