import type { VolumeTypeRecord } from '@gateway/openstack';

/** A volume type as administrators see it. */
export interface AdminVolumeType {
  id: string;
  name: string;
  description: string;
  is_public: boolean;
  /** What the type asks of a storage pool, and settings of its driver. */
  extra_specs: Record<string, string>;
}

export function presentAdminVolumeType(type: VolumeTypeRecord): AdminVolumeType {
  return {
    id: type.id,
    name: type.name,
    description: type.description ?? '',
    is_public: type.is_public,
    extra_specs: type.extra_specs ?? {},
  };
}
