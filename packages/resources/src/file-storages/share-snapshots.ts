import { toTimestamp } from '@gateway/core';
import { fromServiceProtocol } from '@gateway/libraries';
import type { ShareSnapshotRecord } from '@gateway/openstack';
import type { ListSources } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { shareNames } from '../networks/name-lists.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isFileStorageInTransition } from '../transitions/states-in-transition.ts';
import type { ShareSnapshot } from './share-snapshot-shape.ts';

export function presentShareSnapshot(snapshot: ShareSnapshotRecord): ShareSnapshot {
  return {
    id: snapshot.id,
    name: snapshot.name,
    description: snapshot.description,
    status: snapshot.status,
    size: snapshot.size,
    share_proto: fromServiceProtocol(snapshot.share_proto) ?? snapshot.share_proto,
    file_storage_id: snapshot.share_id,
    file_storage_name: null,
    created_at: toTimestamp(snapshot.created_at),
    ...markTransition(isFileStorageInTransition(snapshot), snapshot.status, {
      createdAt: snapshot.created_at,
    }),
  };
}

/** Adds the names of their file storages to snapshots of a project. */
export function nameShareSnapshots(sources: ListSources, rows: ShareSnapshot[]): Promise<ShareSnapshot[]> {
  return addNames(sources, rows, { file_storage_id: shareNames.project });
}
