import type { VolumeTypeAccessRecord, VolumeTypeRecord } from '@gateway/openstack';
import type { AdminVolumeType, VolumeTypeAccess } from './admin-volume-type-shape.ts';

export function presentAdminVolumeType(type: VolumeTypeRecord): AdminVolumeType {
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    is_public: type.is_public,
    extra_specs: type.extra_specs,
  };
}

export function presentVolumeTypeAccess(access: VolumeTypeAccessRecord): VolumeTypeAccess {
  return { volume_type_id: access.volume_type_id, project_id: access.project_id, project_name: null };
}
