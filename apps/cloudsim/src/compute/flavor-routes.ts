import { envelope, isObject, stringAt, stringMapAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import { selfAndBookmark } from '../http/links.ts';
import {
  accepted,
  actionIn,
  namedByAction,
  type Operation,
  ok,
  operation,
  type Reply,
} from '../http/operation.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import { requireAdmin } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { canSeeFlavor, createFlavor, findFlavor, presentFlavor } from './flavors.ts';
import { limitIn, malformed } from './requests.ts';
import type { Flavor } from './state.ts';

function target(call: ComputeCall): Flavor {
  return findFlavor(call.cloud, call.caller, call.params.id ?? '');
}

/**
 * Only administrators can list private flavors: `is_public=None` lists all flavors,
 * `False` the private flavors.
 */
function isListed(call: ComputeCall, flavor: Flavor): boolean {
  if (!call.caller.isAdmin) return canSeeFlavor(call.caller, flavor);
  const requested = call.query.get('is_public')?.toLowerCase();
  if (requested === 'none') return true;
  if (requested === 'false' || requested === '0') return !flavor.isPublic;
  return flavor.isPublic || (requested === undefined && flavor.access.has(call.caller.projectId));
}

function list(present: (call: ComputeCall, flavor: Flavor) => object): (call: ComputeCall) => Reply {
  return (call) => {
    const { query } = call;
    const minRam = Number(query.get('minRam') ?? 0);
    const minDisk = Number(query.get('minDisk') ?? 0);
    const flavors = [...call.cloud.compute.flavors.values()]
      .filter((flavor) => isListed(call, flavor) && flavor.ramMb >= minRam && flavor.diskGb >= minDisk)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const { items, more } = pageOf(
      flavors,
      (flavor) => flavor.id,
      query.get('marker'),
      limitIn(query),
      (marker) => badRequest(`marker [${marker}] not found`),
    );
    const body: Record<string, unknown> = { flavors: items.map((flavor) => present(call, flavor)) };
    if (more) {
      const path = call.url.split('?')[0];
      const next = nextQuery(query, items.at(-1)?.id ?? '');
      body.flavors_links = [{ rel: 'next', href: `${call.base}${path}?${next}` }];
    }
    return ok(body);
  };
}

function brief(call: ComputeCall, flavor: Flavor): object {
  const { id, name } = flavor;
  return { id, name, links: selfAndBookmark(call.base, `flavors/${id}`) };
}

function detailed(call: ComputeCall, flavor: Flavor): object {
  return presentFlavor(flavor, call.base, call.minor);
}

function create(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-flavor-manage:create');
  const input = envelope(call.body, 'flavor', malformed);
  return ok({ flavor: detailed(call, createFlavor(call.cloud, input)) });
}

function remove(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-flavor-manage:delete');
  call.cloud.compute.flavors.delete(target(call).id);
  return accepted();
}

function addSpecs(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-flavor-extra-specs:create');
  const specs = stringMapAt(isObject(call.body) ? call.body : {}, 'extra_specs');
  Object.assign(target(call).extraSpecs, specs);
  return ok({ extra_specs: specs });
}

function deleteSpec(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-flavor-extra-specs:delete');
  const flavor = target(call);
  const key = call.params.key ?? '';
  if (!(key in flavor.extraSpecs)) throw notFound(`Flavor ${flavor.id} has no extra specs with key ${key}.`);
  delete flavor.extraSpecs[key];
  return ok(undefined);
}

function accessRows(flavor: Flavor): object {
  return {
    flavor_access: [...flavor.access].map((tenant_id) => ({ flavor_id: flavor.id, tenant_id })),
  };
}

function listAccess(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-flavor-access');
  const flavor = target(call);
  if (flavor.isPublic) throw notFound('Access list not available for public flavors.');
  return ok(accessRows(flavor));
}

function act(call: ComputeCall): Reply {
  const [action, argument] = actionIn(call.body);
  const tenant = isObject(argument) ? (stringAt(argument, 'tenant') ?? '') : '';
  if (action !== 'addTenantAccess' && action !== 'removeTenantAccess')
    throw badRequest(`There is no such action: ${action}`);
  requireAdmin(
    call,
    `os_compute_api:os-flavor-access:${action === 'addTenantAccess' ? 'add' : 'remove'}_tenant_access`,
  );
  const flavor = target(call);
  if (action === 'addTenantAccess') {
    if (flavor.isPublic) throw conflict('Can not add access to a public flavor.');
    if (!call.cloud.identity.projects.has(tenant))
      throw badRequest(`Project ID ${tenant} is not a valid project.`);
    if (flavor.access.has(tenant))
      throw conflict(
        `Flavor access already exists for flavor ${flavor.id} and project ${tenant} combination.`,
      );
    flavor.access.add(tenant);
  } else if (!flavor.access.delete(tenant)) {
    throw notFound(`Flavor access not found for ${flavor.id} / ${tenant} combination.`);
  }
  return ok(accessRows(flavor));
}

export const flavorOperations: Operation<ComputeCloud>[] = [
  operation('flavors.list_detail', 'GET /flavors/detail', list(detailed)),
  operation('flavors.list', 'GET /flavors', list(brief)),
  operation('flavors.create', 'POST /flavors', create),
  operation('flavors.get', 'GET /flavors/:id', (call) => ok({ flavor: detailed(call, target(call)) })),
  operation('flavors.delete', 'DELETE /flavors/:id', remove),
  operation('flavors.list_extra_specs', 'GET /flavors/:id/os-extra_specs', (call) =>
    ok({ extra_specs: target(call).extraSpecs }),
  ),
  operation('flavors.create_extra_specs', 'POST /flavors/:id/os-extra_specs', addSpecs),
  operation('flavors.delete_extra_spec', 'DELETE /flavors/:id/os-extra_specs/:key', deleteSpec),
  operation('flavors.list_access', 'GET /flavors/:id/os-flavor-access', listAccess),
  operation('flavors.action', 'POST /flavors/:id/action', act, { nameFor: namedByAction('flavors') }),
];
