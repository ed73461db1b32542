import { fixedUuid } from '../common/ids.ts';
import { badRequest, forbidden, notFound } from '../common/service-error.ts';
import { devicesUsed, usageOf } from '../compute/scheduling.ts';
import type { Host } from '../compute/state.ts';
import { placementFormat } from '../http/error-formats.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import type { Service } from '../http/service.ts';
import type { PlacementCall, PlacementCloud } from './cloud.ts';

interface Inventory {
  total: number;
  used: number;
  ratio: number;
  reserved: number;
}

/** A resource provider: a host, or a device of a host. */
interface Provider {
  id: string;
  name: string;
  parent: string | null;
  root: string;
  inventories: Record<string, Inventory>;
  traits: string[];
}

function providers(call: PlacementCall): Provider[] {
  return call.cloud.compute.hosts.flatMap((host) => providersOf(call, host));
}

function providersOf(call: PlacementCall, host: Host): Provider[] {
  const usage = usageOf(call.cloud.compute, host);
  const root: Provider = {
    id: host.id,
    name: host.name,
    parent: null,
    root: host.id,
    inventories: {
      VCPU: { total: host.vcpus, used: usage.vcpus, ratio: 4, reserved: 0 },
      MEMORY_MB: { total: host.ramMb, used: usage.ramMb, ratio: 1, reserved: 0 },
      DISK_GB: { total: host.diskGb, used: usage.diskGb, ratio: 1, reserved: 0 },
    },
    traits: host.status === 'disabled' ? ['COMPUTE_STATUS_DISABLED'] : [],
  };
  const child = (suffix: string, resource: string, total: number, used: number): Provider => ({
    id: fixedUuid(`provider:${host.name}_${suffix}`),
    name: `${host.name}_${suffix}`,
    parent: host.id,
    root: host.id,
    inventories: { [resource]: { total, used, ratio: 1, reserved: 0 } },
    traits: [],
  });
  const cards = host.devices.a100 ?? 0;
  const usedCards = devicesUsed(usage.servers, 'a100');
  const children = Array.from({ length: cards }, (_unused, index) =>
    child(`0000:8${index + 1}:00.0`, 'CUSTOM_GPU_A100', 1, index < usedCards ? 1 : 0),
  );
  const slices = host.devices.VGPU ?? 0;
  if (slices > 0) children.push(child('vgpu', 'VGPU', slices, devicesUsed(usage.servers, 'VGPU')));
  return [root, ...children];
}

function administrator(run: (call: PlacementCall) => Reply, rule: string): (call: PlacementCall) => Reply {
  return (call) => {
    if (!call.caller.isAdmin)
      throw forbidden(
        `Access was denied to this resource.\n\n Policy does not allow placement:${rule} to be performed.  `,
      );
    return run(call);
  };
}

function find(call: PlacementCall): Provider {
  const provider = providers(call).find(({ id }) => id === call.params.id);
  if (provider === undefined) throw notFound(`No resource provider with uuid ${call.params.id} found`);
  return provider;
}

function present(provider: Provider): object {
  const path = `/resource_providers/${provider.id}`;
  return {
    uuid: provider.id,
    name: provider.name,
    generation: 1,
    parent_provider_uuid: provider.parent,
    root_provider_uuid: provider.root,
    links: [
      { rel: 'self', href: path },
      { rel: 'inventories', href: `${path}/inventories` },
      { rel: 'usages', href: `${path}/usages` },
    ],
  };
}

/** No provider is in an aggregate. */
function list(call: PlacementCall): Reply {
  const { query } = call;
  const rows = providers(call).filter(
    (provider) =>
      (!query.has('name') || provider.name === query.get('name')) &&
      (!query.has('uuid') || provider.id === query.get('uuid')) &&
      (!query.has('in_tree') || provider.root === query.get('in_tree')) &&
      (!query.has('required') || provider.traits.includes(query.get('required') ?? '')) &&
      !query.has('member_of'),
  );
  return ok({ resource_providers: rows.map(present) });
}

function inventories(call: PlacementCall): Reply {
  const rows = Object.entries(find(call).inventories).map(([resource, inventory]) => [
    resource,
    {
      total: inventory.total,
      reserved: inventory.reserved,
      min_unit: 1,
      max_unit: inventory.total,
      step_size: 1,
      allocation_ratio: inventory.ratio,
    },
  ]);
  return ok({ inventories: Object.fromEntries(rows), resource_provider_generation: 1 });
}

function usages(call: PlacementCall): Reply {
  const rows = Object.entries(find(call).inventories).map(([resource, { used }]) => [resource, used]);
  return ok({ usages: Object.fromEntries(rows), resource_provider_generation: 1 });
}

/** The candidates for one group of resources, and summaries of all providers in their trees. */
function candidates(call: PlacementCall): Reply {
  const requested = call.query.get('resources');
  if (requested === null)
    throw malformed('At least one request group (`resources` or `resources{$S}`) is required.');
  const known = providers(call);
  const wanted = requested.split(',').map((part) => {
    const [resource = '', amount = ''] = part.split(':');
    if (!KNOWN_CLASSES.has(resource) && !known.some(({ inventories }) => resource in inventories))
      throw malformed(`Invalid resource class in resources parameter: No such resource class ${resource}.`);
    return [resource, Number(amount)] as const;
  });
  const hasAll = ({ inventories }: Provider) =>
    wanted.every(([resource, amount]) => {
      const inventory = inventories[resource];
      return inventory !== undefined && inventory.used + amount <= capacityOf(inventory);
    });
  const chosen = known.filter(hasAll);
  const roots = new Set(chosen.map(({ root }) => root));
  return ok({
    allocation_requests: chosen.map(({ id }) => ({
      allocations: { [id]: { resources: Object.fromEntries(wanted) } },
    })),
    provider_summaries: Object.fromEntries(
      known.filter(({ root }) => roots.has(root)).map((provider) => [provider.id, summarize(provider)]),
    ),
  });
}

const KNOWN_CLASSES = new Set(['VCPU', 'MEMORY_MB', 'DISK_GB', 'VGPU', 'PGPU']);

function malformed(reason: string): Error {
  return badRequest(
    `The server could not comply with the request since it is either malformed or otherwise incorrect.\n\n ${reason}  `,
  );
}

function capacityOf({ total, reserved, ratio }: Inventory): number {
  return Math.floor((total - reserved) * ratio);
}

function summarize({ inventories, parent, root, traits }: Provider): object {
  const resources = Object.entries(inventories).map(([resource, inventory]) => [
    resource,
    { capacity: capacityOf(inventory), used: inventory.used },
  ]);
  return {
    resources: Object.fromEntries(resources),
    traits,
    parent_provider_uuid: parent,
    root_provider_uuid: root,
  };
}

export const placementService: Service<PlacementCloud> = {
  name: 'placement',
  prefix: '/placement',
  errors: placementFormat,
  malformed: 'Malformed JSON',
  microversions: { name: 'placement', major: 1, min: 0, max: 39 },
  requestIdHeaders: ['x-openstack-request-id'],
  headers: (minor) => ({ 'openstack-api-version': `placement 1.${minor}` }),
  operations: [
    operation(
      'versions.get',
      'GET /',
      () =>
        ok({
          versions: [{ id: 'v1.0', max_version: '1.39', min_version: '1.0', status: 'CURRENT', links: [] }],
        }),
      { isPublic: true },
    ),
    operation(
      'allocation_candidates.list',
      'GET /allocation_candidates',
      administrator(candidates, 'allocation_candidates:list'),
    ),
    operation(
      'resource_providers.list',
      'GET /resource_providers',
      administrator(list, 'resource_providers:list'),
    ),
    operation(
      'resource_providers.get',
      'GET /resource_providers/:id',
      administrator((call) => ok(present(find(call))), 'resource_providers:show'),
    ),
    operation(
      'inventories.list',
      'GET /resource_providers/:id/inventories',
      administrator(inventories, 'resource_providers:inventories:list'),
    ),
    operation(
      'aggregates.list',
      'GET /resource_providers/:id/aggregates',
      administrator((call) => {
        find(call);
        return ok({ aggregates: [], resource_provider_generation: 1 });
      }, 'resource_providers:aggregates:list'),
    ),
    operation(
      'usages.list',
      'GET /resource_providers/:id/usages',
      administrator(usages, 'resource_providers:usages'),
    ),
  ],
};
