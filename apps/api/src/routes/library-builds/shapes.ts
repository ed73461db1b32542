import { id, nonEmptyText, oneOf, type ShapeType, shape } from '@gateway/core/shapes';

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
