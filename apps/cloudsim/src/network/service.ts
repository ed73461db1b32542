import { isObject, numberAt, objectAt } from '../common/json.ts';
import { badRequest, forbidden, notFound } from '../common/service-error.ts';
import { networkFormat } from '../http/error-formats.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import type { Service } from '../http/service.ts';
import type { NetworkCall, NetworkServiceCloud } from './cloud.ts';
import * as floatingIps from './floating-ips.ts';
import * as networks from './networks.ts';
import * as ports from './ports.ts';
import * as present from './present.ts';
import { limitsOf, usageOf } from './quotas.ts';
import { type Resource, resourceOperations } from './resource.ts';
import * as routers from './routers.ts';
import * as groups from './security-groups.ts';
import type { FloatingIp, Network, Port, Router, SecurityGroup, SecurityGroupRule, Subnet } from './state.ts';
import * as subnets from './subnets.ts';

const NETWORKS: Resource<Network> = {
  path: 'networks',
  plural: 'networks',
  singular: 'network',
  records: (state) => state.networks,
  visible: (_cloud, caller, network) => networks.canSeeNetwork(caller, network),
  present: present.presentNetwork,
  create: networks.createNetwork,
  update: networks.updateNetwork,
  remove: networks.deleteNetwork,
};

const SUBNETS: Resource<Subnet> = {
  path: 'subnets',
  plural: 'subnets',
  singular: 'subnet',
  records: (state) => state.subnets,
  visible: subnets.canSeeSubnet,
  present: present.presentSubnet,
  create: subnets.createSubnet,
  update: subnets.updateSubnet,
  remove: subnets.deleteSubnet,
};

const PORTS: Resource<Port> = {
  path: 'ports',
  plural: 'ports',
  singular: 'port',
  records: (state) => state.ports,
  visible: (_cloud, caller, port) => owns(caller, port.project_id),
  present: present.presentPort,
  create: ports.createPort,
  update: ports.updatePort,
  remove: ports.deletePort,
};

const ROUTERS: Resource<Router> = {
  path: 'routers',
  plural: 'routers',
  singular: 'router',
  records: (state) => state.routers,
  visible: (_cloud, caller, router) => owns(caller, router.project_id),
  present: present.presentRouter,
  create: routers.createRouter,
  update: routers.updateRouter,
  remove: routers.deleteRouter,
};

const FLOATING_IPS: Resource<FloatingIp> = {
  path: 'floatingips',
  plural: 'floatingips',
  singular: 'floatingip',
  records: (state) => state.floatingIps,
  visible: (_cloud, caller, floating) => owns(caller, floating.project_id),
  present: present.presentFloatingIp,
  create: floatingIps.createFloatingIp,
  update: floatingIps.updateFloatingIp,
  remove: floatingIps.deleteFloatingIp,
};

const SECURITY_GROUPS: Resource<SecurityGroup> = {
  path: 'security-groups',
  plural: 'security_groups',
  singular: 'security_group',
  records: (state) => state.securityGroups,
  prepare: (cloud, caller) => groups.defaultGroup(cloud, caller.projectId),
  visible: (_cloud, caller, group) => owns(caller, group.project_id),
  present: present.presentSecurityGroup,
  create: groups.createSecurityGroup,
  update: groups.updateSecurityGroup,
  remove: groups.deleteSecurityGroup,
};

const RULES: Resource<SecurityGroupRule> = {
  path: 'security-group-rules',
  plural: 'security_group_rules',
  singular: 'security_group_rule',
  records: (state) => state.rules,
  visible: (_cloud, caller, rule) => owns(caller, rule.project_id),
  present: present.presentRule,
  create: groups.createRule,
  remove: groups.deleteRule,
};

function quotaProject(call: NetworkCall, rule: string, write = false): string {
  const id = call.params.id ?? '';
  if (!call.caller.isAdmin && (write || id !== call.caller.projectId))
    throw forbidden(`rule:${rule} is disallowed by policy`);
  return id;
}

function getQuota(call: NetworkCall): Reply {
  return ok({ quota: limitsOf(call.cloud.network, quotaProject(call, 'get_quota')) });
}

function getQuotaDetails(call: NetworkCall): Reply {
  const { network, settings } = call.cloud;
  if (!settings.hasQuotaDetails) throw notFound('The resource could not be found.');
  const id = quotaProject(call, 'get_quota');
  const quota = Object.entries(limitsOf(network, id)).map(([resource, limit]) => [
    resource,
    { limit, used: usageOf(network, resource, id), reserved: 0 },
  ]);
  return ok({ quota: Object.fromEntries(quota) });
}

function updateQuota(call: NetworkCall): Reply {
  const id = quotaProject(call, 'update_quota', true);
  const input = objectAt(call.body, 'quota');
  const limits = { ...call.cloud.network.quotas.get(id) };
  for (const key of Object.keys(input)) {
    const limit = numberAt(input, key) ?? -1;
    const used = usageOf(call.cloud.network, key, id);
    // Since the release 2025.1.
    if (limit >= 0 && used > limit)
      throw badRequest(
        `Quota limit ${limit} for ${key} must be greater than or equal to already used ${used}`,
      );
    limits[key] = limit;
  }
  call.cloud.network.quotas.set(id, limits);
  return ok({ quota: limitsOf(call.cloud.network, id) });
}

function changeInterface(change: typeof routers.addInterface): (call: NetworkCall) => Reply {
  return (call) =>
    ok(change(call.cloud, call.caller, call.params.id ?? '', isObject(call.body) ? call.body : {}));
}

export const networkService: Service<NetworkServiceCloud> = {
  name: 'network',
  prefix: '/network/v2.0',
  errors: networkFormat,
  malformed: 'Malformed request body: Cannot understand JSON.',
  malformedType: 'MalformedRequestBody',
  requestIdHeaders: ['X-Openstack-Request-Id'],
  operations: [
    ...resourceOperations(PORTS),
    ...resourceOperations(NETWORKS),
    ...resourceOperations(SUBNETS),
    ...resourceOperations(FLOATING_IPS),
    ...resourceOperations(ROUTERS),
    operation(
      'routers.add_interface',
      'PUT /routers/:id/add_router_interface',
      changeInterface(routers.addInterface),
    ),
    operation(
      'routers.remove_interface',
      'PUT /routers/:id/remove_router_interface',
      changeInterface(routers.removeInterface),
    ),
    ...resourceOperations(SECURITY_GROUPS),
    ...resourceOperations(RULES),
    operation('quotas.details', 'GET /quotas/:id/details.json', getQuotaDetails),
    operation('quotas.details', 'GET /quotas/:id/details', getQuotaDetails),
    operation('quotas.get', 'GET /quotas/:id', getQuota),
    operation('quotas.update', 'PUT /quotas/:id', updateQuota),
    operation('extensions.list', 'GET /extensions', ({ cloud }) => {
      const aliases = ['router', 'security-group'];
      if (cloud.settings.hasDescriptions) aliases.push('standard-attr-description');
      if (cloud.settings.hasQuotaDetails) aliases.push('quota_details');
      return ok({ extensions: aliases.map((alias) => ({ alias })) });
    }),
    operation('agents.list', 'GET /agents', () => ok({ agents: [] })),
    operation('availability_zones.list', 'GET /availability_zones', () => ok({ availability_zones: [] })),
  ],
};
