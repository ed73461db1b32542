import { newUuid } from '../common/ids.ts';
import { type JsonObject, numberAt, pythonText, textAt, truthAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import type { ComputeCloud } from './cloud.ts';
import { selfAndBookmark } from './policy.ts';
import type { Flavor } from './state.ts';

export function seesFlavor(caller: Caller, flavor: Flavor): boolean {
  return caller.isAdmin || flavor.isPublic || flavor.access.has(caller.projectId);
}

export function findFlavor(cloud: ComputeCloud, caller: Caller, id: string): Flavor {
  const flavor = cloud.compute.flavors.get(id);
  if (flavor === undefined || !seesFlavor(caller, flavor)) throw notFound(`Flavor ${id} could not be found.`);
  return flavor;
}

export function createFlavor(cloud: ComputeCloud, given: JsonObject): Flavor {
  const name = textAt(given, 'name');
  if (name === undefined) throw missing(given, 'name');
  for (const flavor of cloud.compute.flavors.values())
    if (flavor.name === name) throw conflict(`Flavor with name ${name} already exists.`);
  const flavor: Flavor = {
    id: textAt(given, 'id') ?? textAt(given, 'flavorid') ?? newUuid(),
    name,
    vcpus: required(given, 'vcpus'),
    ramMb: required(given, 'ram'),
    diskGb: required(given, 'disk'),
    isPublic: truthAt(given, 'os-flavor-access:is_public', true),
    description: textAt(given, 'description') ?? null,
    extraSpecs: {},
    access: new Set(),
  };
  cloud.compute.flavors.set(flavor.id, flavor);
  return flavor;
}

function required(given: JsonObject, key: string): number {
  const value = numberAt(given, key);
  if (value === undefined) throw missing(given, key);
  return value;
}

function missing(given: JsonObject, key: string): Error {
  return badRequest(
    `Invalid input for field/attribute flavor. Value: ${pythonText(given)}. '${key}' is a required property`,
  );
}

export function presentFlavor(flavor: Flavor, base: string, minor: number): object {
  return {
    id: flavor.id,
    name: flavor.name,
    ram: flavor.ramMb,
    disk: flavor.diskGb,
    swap: minor >= 75 ? 0 : '',
    'OS-FLV-EXT-DATA:ephemeral': 0,
    'OS-FLV-DISABLED:disabled': false,
    vcpus: flavor.vcpus,
    'os-flavor-access:is_public': flavor.isPublic,
    rxtx_factor: 1.0,
    links: selfAndBookmark(base, `flavors/${flavor.id}`),
    ...(minor >= 55 ? { description: flavor.description } : {}),
    ...(minor >= 61 ? { extra_specs: flavor.extraSpecs } : {}),
  };
}
