import { newUuid } from '../common/ids.ts';
import { booleanAt, envelope, isObject, type JsonObject, stringAt, stringMapAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import { accepted, actionIn, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import type { BlockStorageCall, BlockStorageCloud } from './cloud.ts';
import { malformed } from './refusals.ts';
import type { VolumeType } from './state.ts';

const IS_PUBLIC = 'os-volume-type-access:is_public';

function present({ caller }: BlockStorageCall, type: VolumeType): Record<string, unknown> {
  const { description, extraSpecs, id, isPublic, name } = type;
  const shown = caller.isAdmin ? extraSpecs : {};
  return { id, name, is_public: isPublic, description, extra_specs: shown, [IS_PUBLIC]: isPublic };
}

/** Other private types only for administrators who ask for all with `is_public=None`. */
function list(call: BlockStorageCall): Reply {
  const isAll = call.caller.isAdmin && call.query.get('is_public') === 'None';
  const types = [...call.cloud.blockStorage.types.values()].filter((type) => isAll || isUsable(call, type));
  return ok({ volume_types: types.map((type) => present(call, type)) });
}

function isUsable({ caller }: BlockStorageCall, { access, isPublic }: VolumeType): boolean {
  return isPublic || access.has(caller.projectId);
}

function get(call: BlockStorageCall): Reply {
  const { types, defaultType } = call.cloud.blockStorage;
  const requested = call.params.id ?? '';
  const type =
    requested === 'default'
      ? [...types.values()].find(({ name }) => name === defaultType)
      : types.get(requested);
  if (type === undefined || !(isUsable(call, type) || call.caller.isAdmin)) throw missing(requested);
  return ok({ volume_type: present(call, type) });
}

function listAccess(call: BlockStorageCall): Reply {
  requireAdmin(call, 'volume_extension:volume_type_access:get_all_for_type');
  const type = knownType(call);
  if (type.isPublic) throw notFound('Access list not available for public volume types.');
  const rows = [...type.access].map((project_id) => ({ volume_type_id: type.id, project_id }));
  return ok({ volume_type_access: rows });
}

/** The service does not check whether the project exists. */
function changeAccess(call: BlockStorageCall): Reply {
  const [action, argument] = actionIn(call.body);
  const isAddition = action === 'addProjectAccess';
  if (!isAddition && action !== 'removeProjectAccess') throw badRequest(`There is no such action: ${action}`);
  requireAdmin(call, `volume_extension:volume_type_access:${action}`);
  const type = knownType(call);
  const project = stringAt(isObject(argument) ? argument : {}, 'project') ?? '';
  if (type.isPublic)
    throw badRequest(
      'Invalid volume type: Type access modification is not applicable to public volume type.',
    );
  const access = `Volume type access for ${type.id} / ${project} combination`;
  if (isAddition && type.access.has(project)) throw conflict(`${access} already exists.`);
  if (isAddition) type.access.add(project);
  else if (!type.access.delete(project))
    throw notFound(`Volume type access not found for ${type.id} / ${project} combination.`);
  return accepted(undefined);
}

function knownType({ cloud, params }: BlockStorageCall): VolumeType {
  const type = cloud.blockStorage.types.get(params.id ?? '');
  if (type === undefined) throw missing(params.id ?? '');
  return type;
}

function missing(id: string): Error {
  return notFound(`Volume type ${id} could not be found.`);
}

function input(call: BlockStorageCall): JsonObject {
  return envelope(call.body, 'volume_type', malformed);
}

function requireFreeName({ cloud }: BlockStorageCall, name: string, except?: VolumeType): void {
  for (const type of cloud.blockStorage.types.values())
    if (type.name === name && type !== except) throw conflict(`Volume Type ${name} already exists.`);
}

function create(call: BlockStorageCall): Reply {
  requireAdmin(call, 'volume_extension:type_create');
  const wanted = input(call);
  const name = stringAt(wanted, 'name') ?? '';
  if (name.trim() === '') throw badRequest('Volume type name can not be empty.');
  requireFreeName(call, name);
  const type: VolumeType = {
    id: newUuid(),
    name,
    description: stringAt(wanted, 'description') ?? '',
    isPublic: booleanAt(wanted, IS_PUBLIC, true),
    extraSpecs: stringMapAt(wanted, 'extra_specs'),
    access: new Set(),
  };
  call.cloud.blockStorage.types.set(type.id, type);
  return ok({ volume_type: present(call, type) });
}

function update(call: BlockStorageCall): Reply {
  requireAdmin(call, 'volume_extension:type_update');
  const { defaultType, types, volumes } = call.cloud.blockStorage;
  const type = types.get(call.params.id ?? '');
  const wanted = input(call);
  const name = stringAt(wanted, 'name');
  if (name === undefined && wanted.description === undefined && wanted.is_public === undefined)
    throw badRequest('Specify volume type name, description, is_public or a combination thereof.');
  if (type === undefined) throw missing(call.params.id ?? '');
  if (name !== undefined && name !== type.name) {
    requireFreeName(call, name, type);
    for (const volume of volumes.values()) if (volume.type === type.name) volume.type = name;
    if (defaultType === type.name) call.cloud.blockStorage.defaultType = name;
    type.name = name;
  }
  type.description = stringAt(wanted, 'description') ?? type.description;
  type.isPublic = booleanAt(wanted, 'is_public', type.isPublic);
  const { extra_specs: _, ...shown } = present(call, type);
  return ok({ volume_type: shown });
}

/** The service itself lets the operator choose; refused by default. */
function unusedType(call: BlockStorageCall): VolumeType {
  const type = knownType(call);
  for (const volume of call.cloud.blockStorage.volumes.values())
    if (volume.type === type.name) throw badRequest('Volume Type is currently in use.');
  return type;
}

function addSpecs(call: BlockStorageCall): Reply {
  requireAdmin(call, 'volume_extension:types_extra_specs:create');
  const specs = stringMapAt(isObject(call.body) ? call.body : {}, 'extra_specs');
  Object.assign(unusedType(call).extraSpecs, specs);
  return ok({ extra_specs: specs });
}

function removeSpec(call: BlockStorageCall): Reply {
  requireAdmin(call, 'volume_extension:types_extra_specs:delete');
  const type = unusedType(call);
  const key = call.params.key ?? '';
  if (!(key in type.extraSpecs)) throw notFound(`Volume Type ${type.id} has no extra specs with key ${key}.`);
  delete type.extraSpecs[key];
  return accepted(undefined);
}

function remove(call: BlockStorageCall): Reply {
  requireAdmin(call, 'volume_extension:type_delete');
  const { defaultType, types, volumes } = call.cloud.blockStorage;
  const type = knownType(call);
  if (type.name === defaultType)
    throw badRequest(`The volume type ${type.id} is the default volume type and cannot be deleted.`);
  for (const volume of volumes.values())
    if (volume.type === type.name) throw badRequest('Target volume type is still in use.');
  types.delete(type.id);
  return accepted(undefined);
}

export const typeOperations: Operation<BlockStorageCloud>[] = [
  operation('volume_types.list', 'GET /types', list),
  operation('volume_types.create', 'POST /types', create),
  operation('volume_types.get', 'GET /types/:id', get),
  operation('volume_types.update', 'PUT /types/:id', update),
  operation('volume_types.list_access', 'GET /types/:id/os-volume-type-access', listAccess),
  operation('volume_types.change_access', 'POST /types/:id/action', changeAccess),
  operation('volume_types.create_extra_specs', 'POST /types/:id/extra_specs', addSpecs),
  operation('volume_types.delete_extra_spec', 'DELETE /types/:id/extra_specs/:key', removeSpec),
  operation('volume_types.delete', 'DELETE /types/:id', remove),
];
