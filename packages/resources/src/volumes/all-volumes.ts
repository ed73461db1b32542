import { toTimestamp } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';
import type { AdminVolume } from './admin-volume-shape.ts';

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
