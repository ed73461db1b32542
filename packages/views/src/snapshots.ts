import { toTimestamp } from '@gateway/core';
import type { SnapshotRecord } from '@gateway/openstack';

export interface Snapshot {
  id: string;
  name: string;
  description: string;
  status: string;
  /** GB. */
  size: number;
  volume_id: string;
  created_at: string | null;
}

export function presentSnapshot(snapshot: SnapshotRecord): Snapshot {
  return {
    id: snapshot.id,
    name: snapshot.name ?? '',
    description: snapshot.description ?? '',
    status: snapshot.status,
    size: snapshot.size,
    volume_id: snapshot.volume_id,
    created_at: toTimestamp(snapshot.created_at),
  };
}
