import type { SnapshotRecord } from '@gateway/openstack';
import { presentVolumeCopy, type VolumeCopy } from './volume-copy.ts';

export type Snapshot = VolumeCopy;

export function presentSnapshot(snapshot: SnapshotRecord): Snapshot {
  return presentVolumeCopy(snapshot);
}
