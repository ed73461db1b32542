import type { VolumeTypeAccessRecord, VolumeTypeRecord } from '@gateway/openstack';

/** A volume type as administrators see it. */
export interface AdminVolumeType {
  id: string;
  name: string;
  description: string;
  is_public: boolean;
  /** What the type asks of a storage pool, and settings of its driver. */
  extra_specs: Record<string, string>;
}

/** A project that may use a private volume type. */
export interface VolumeTypeAccess {
  volume_type_id: string;
  project_id: string;
  /** Null for a project that no longer exists. */
  project_name: string | null;
}

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
