import { toTimestamp } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';

/** A volume of any project. */
export interface AdminVolume {
  id: string;
  name: string;
  status: string;
  /** GB. */
  size: number;
  project_id: string;
  project_name: string | null;
  created_at: string | null;
}

export function presentAdminVolume(volume: VolumeRecord): AdminVolume {
  return {
    id: volume.id,
    name: volume.name,
    status: volume.status,
    size: volume.size,
    project_id: volume['os-vol-tenant-attr:tenant_id'] ?? '',
    project_name: null,
    created_at: toTimestamp(volume.created_at),
  };
}
