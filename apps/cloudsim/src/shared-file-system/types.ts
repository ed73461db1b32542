import { notFound } from '../common/service-error.ts';
import { ok, type Reply } from '../http/operation.ts';
import type { SharedFileSystemCall } from './cloud.ts';
import type { ShareType } from './state.ts';

/** No type has share servers. */
const REQUIRED_SPECS = { driver_handles_share_servers: 'False' };

const SPECS = {
  snapshot_support: 'True',
  create_share_from_snapshot_support: 'True',
  revert_to_snapshot_support: 'True',
  mount_snapshot_support: 'True',
};

function presentType(type: ShareType, minor: number): object {
  return {
    id: type.id,
    name: type.name,
    extra_specs: { ...REQUIRED_SPECS, ...SPECS },
    required_extra_specs: REQUIRED_SPECS,
    [minor >= 7 ? 'share_type_access:is_public' : 'os-share-type-access:is_public']: true,
    ...(minor >= 41 ? { description: null } : {}),
    ...(minor >= 46 ? { is_default: type.isDefault } : {}),
  };
}

export function listTypes(call: SharedFileSystemCall): Reply {
  const types = [...call.cloud.sharedFileSystem.types.values()].map((type) => presentType(type, call.minor));
  return ok({ volume_types: types, share_types: types });
}

export function getType(call: SharedFileSystemCall): Reply {
  const { types } = call.cloud.sharedFileSystem;
  const requested = call.params.id ?? '';
  const found =
    types.get(requested) ??
    (requested === 'default' ? [...types.values()].find(({ isDefault }) => isDefault) : undefined);
  if (found === undefined) throw notFound('Share type not found.');
  const type = presentType(found, call.minor);
  return ok({ volume_type: type, share_type: type });
}
