import {
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';

export const shareSnapshotShape = shape('ShareSnapshot', {
  id: id('share_snapshot'),
  name: text('before-upgrade'),
  description: text(''),
  status: nonEmptyText('available').describe(
    'As in the shared file system service: `creating`, `available`, `error`, …',
  ),
  size: integer(10).describe('GB.'),
  share_proto: nonEmptyText('NATIVEFS').describe('`NATIVEFS`, `NFS`, or the name of another protocol.'),
  file_storage_id: idOrEmpty('file_storage'),
  file_storage_name: text('datasets').nullable(),
  created_at: timestamp().nullable(),
});

export type ShareSnapshot = ShapeType<typeof shareSnapshotShape>;
