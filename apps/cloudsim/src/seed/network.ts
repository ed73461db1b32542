import { fixedUuid } from '../common/ids.ts';
import type { JsonObject } from '../common/json.ts';
import type { Caller } from '../http/operation.ts';
import type { NetworkCloud } from '../network/cloud.ts';
import { createNetwork } from '../network/networks.ts';
import { addInterface, createRouter, updateRouter } from '../network/routers.ts';
import type { NetworkRecord } from '../network/state.ts';
import { createSubnet } from '../network/subnets.ts';
import { projectId, userId } from './ids.ts';

function callerOf(user: string, project: string): Caller {
  const isAdmin = user === 'admin' || user === 'gateway';
  return {
    tokenId: '',
    userId: userId(user),
    userName: user,
    projectId: projectId(project),
    roles: [isAdmin ? 'admin' : 'member'],
    isAdmin,
  };
}

function networkQuota(small: number[]): Record<string, number> {
  const [network = 0, subnet = 0, port = 0, router = 0, floatingip = 0, group = 0, rule = 0] = small;
  return {
    network,
    subnet,
    port,
    router,
    floatingip,
    security_group: group,
    security_group_rule: rule,
  };
}

/** The external network, and a network for each project that creates servers. */
export function seedNetwork(cloud: NetworkCloud): void {
  const admin = callerOf('admin', 'admin');
  const demo = callerOf('demo', 'demo');
  const external = withFixedId(
    cloud.network.networks,
    createNetwork(cloud, admin, {
      name: 'public',
      'router:external': true,
      'provider:network_type': 'flat',
      'provider:physical_network': 'external',
    }),
    'network:public',
  );
  withFixedId(
    cloud.network.subnets,
    createSubnet(
      cloud,
      admin,
      subnet('public-subnet', external.id, '203.0.113.0/24', {
        enable_dhcp: false,
        allocation_pools: [{ start: '203.0.113.10', end: '203.0.113.250' }],
      }),
    ),
    'subnet:public-subnet',
  );
  external.subnets = [fixedUuid('subnet:public-subnet')];
  seedTenantNetwork(cloud, demo, external.id, {
    network: 'demo-net',
    subnet: 'demo-subnet',
    router: 'demo-router',
    cidr: '10.10.0.0/24',
  });
  // The network for the gateway's own servers.
  seedTenantNetwork(cloud, callerOf('gateway', 'service'), external.id, {
    network: 'builders',
    subnet: 'builders-subnet',
    router: 'builders-router',
    cidr: '10.20.0.0/24',
  });
  cloud.network.quotas.set(projectId('demo'), networkQuota([200, 200, 2000, 100, 200, 200, 2000]));
  cloud.network.quotas.set(projectId('service'), networkQuota([20, 20, 200, 10, 50, 20, 200]));
  cloud.network.quotas.set(projectId('demo2'), networkQuota([100, 100, 500, 10, 50, 10, 100]));
  cloud.network.quotas.set(projectId('alice'), networkQuota([5, 5, 50, 2, 3, 10, 100]));
}

/** A network with a subnet, and a router to the external network. */
function seedTenantNetwork(
  cloud: NetworkCloud,
  caller: Caller,
  externalId: string,
  names: { network: string; subnet: string; router: string; cidr: string },
): void {
  const net = withFixedId(
    cloud.network.networks,
    createNetwork(cloud, caller, { name: names.network }),
    `network:${names.network}`,
  );
  const inner = withFixedId(
    cloud.network.subnets,
    createSubnet(
      cloud,
      caller,
      subnet(names.subnet, net.id, names.cidr, { dns_nameservers: ['192.0.2.53'] }),
    ),
    `subnet:${names.subnet}`,
  );
  net.subnets = [inner.id];
  const router = withFixedId(
    cloud.network.routers,
    createRouter(cloud, caller, { name: names.router }),
    `router:${names.router}`,
  );
  addInterface(cloud, caller, router.id, { subnet_id: inner.id });
  updateRouter(cloud, caller, router.id, { external_gateway_info: { network_id: externalId } });
}

function subnet(name: string, network_id: string, cidr: string, more: JsonObject): JsonObject {
  return { name, network_id, cidr, ip_version: 4, ...more };
}

/** Replaces the id of a new record with an id that is the same in every run. */
function withFixedId<T extends NetworkRecord>(records: Map<string, T>, record: T, name: string): T {
  records.delete(record.id);
  record.id = fixedUuid(name);
  records.set(record.id, record);
  return record;
}
