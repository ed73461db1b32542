import { newUuid } from '../common/ids.ts';
import { booleanAt, type JsonObject, numberAt, pythonRepr, stringAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import { selfAndBookmark } from '../http/links.ts';
import type { Caller } from '../http/operation.ts';
import type { ComputeCloud } from './cloud.ts';
import type { Flavor } from './state.ts';

export function canSeeFlavor(caller: Caller, flavor: Flavor): boolean {
  return caller.isAdmin || flavor.isPublic || flavor.access.has(caller.projectId);
}

export function findFlavor(cloud: ComputeCloud, caller: Caller, id: string): Flavor {
  const flavor = cloud.compute.flavors.get(id);
  if (flavor === undefined || !canSeeFlavor(caller, flavor))
    throw notFound(`Flavor ${id} could not be found.`);
  return flavor;
}

const FLAVOR_ID = /^(?! )[a-zA-Z0-9. _-]+(?<! )$/;

export function createFlavor(cloud: ComputeCloud, input: JsonObject): Flavor {
  const name = stringAt(input, 'name');
  if (name === undefined) throw missing(input, 'name');
  for (const flavor of cloud.compute.flavors.values())
    if (flavor.name.toLowerCase() === name.toLowerCase())
      throw conflict(`Flavor with name ${name} already exists.`);
  const id = stringAt(input, 'id') ?? stringAt(input, 'flavorid') ?? newUuid();
  if (!FLAVOR_ID.test(id)) {
    throw badRequest(
      `Invalid input for field/attribute id. Value: ${id}. '${id}' does not match '${FLAVOR_ID.source}'`,
    );
  }
  const flavor: Flavor = {
    id,
    name,
    vcpus: required(input, 'vcpus'),
    ramMb: required(input, 'ram'),
    diskGb: required(input, 'disk'),
    isPublic: booleanAt(input, 'os-flavor-access:is_public', true),
    description: stringAt(input, 'description') ?? null,
    extraSpecs: {},
    access: new Set(),
  };
  cloud.compute.flavors.set(flavor.id, flavor);
  return flavor;
}

function required(input: JsonObject, key: string): number {
  const value = numberAt(input, key);
  if (value === undefined) throw missing(input, key);
  return value;
}

function missing(input: JsonObject, key: string): Error {
  return badRequest(
    `Invalid input for field/attribute flavor. Value: ${pythonRepr(input)}. '${key}' is a required property`,
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
