import {
  flag,
  id,
  idOrEmpty,
  integer,
  listOf,
  mapOf,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { allowedActionsField, managedByField } from '../actions/action-fields.ts';
import { fileStorageActions } from '../actions/file-storage-actions.ts';

export const fileStorageShape = shape('FileStorage', {
  id: id('file_storage'),
  name: text('datasets'),
  status: nonEmptyText('available'),
  size: integer(10).describe('GB.'),
  share_proto: nonEmptyText('NATIVEFS').describe('`NATIVEFS`, `NFS`, or the name of another protocol.'),
  export_locations: listOf(nonEmptyText('192.0.2.30:/shares/data')).describe(
    'The preferred one first; empty until the service has made them.',
  ),
  /** Without the mark of the create request. */
  metadata: mapOf(text()),
  library_name: text().nullable().describe('The library of a prebuilt file storage.'),
  library_version: text().nullable(),
  built_at: timestamp(null).nullable(),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  user_id: idOrEmpty('user').nullable().describe('Who created it.'),
  user_name: text('demo').nullable(),
  created_at: timestamp().nullable(),
  share_network_id: text().nullable(),
  share_network_name: text().nullable(),
  is_public: flag(),
  managed_by: managedByField(),
  allowed_actions: allowedActionsField('file_storage', fileStorageActions),
});

export type FileStorage = ShapeType<typeof fileStorageShape>;
