import {
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  oneOf,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { verificationField } from '../library-verifications/shapes.ts';

export const startedBuildShape = shape('StartedLibraryBuild', {
  file_storage_id: id('file_storage')
    .nullable()
    .describe('Null if the share was not created within the time limit of the request.'),
  status: oneOf(['building']),
  library: nonEmptyText('Python 3.11'),
  library_id: nonEmptyText('python311'),
  version: nonEmptyText('3.11'),
  job_id: id('job'),
});

export type StartedBuild = ShapeType<typeof startedBuildShape>;

export const buildShape = shape('LibraryBuild', {
  library_id: nonEmptyText('python311'),
  library: nonEmptyText('Python 3.11'),
  version: text('3.11'),
  file_storage_id: idOrEmpty('file_storage').nullable(),
  file_storage_name: text('python311-3.11').nullable(),
  server_id: text().nullable().describe('The server that builds, while it exists.'),
  server_name: text().nullable(),
  status: oneOf(['building', 'ready', 'error', 'timeout'], 'ready'),
  progress: integer(100).min(-1).max(100),
  message: text('The share is published.'),
  log_tail: text().nullable().describe("The end of the builder's log, as it last reported it."),
  started_at: timestamp(),
  updated_at: timestamp(),
  job_id: id('job'),
  verification: verificationField().describe(
    'The latest verification of the file storage. Null if there is none, or if it was cancelled.',
  ),
});
