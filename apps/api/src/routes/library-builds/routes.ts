import { listOf } from '@gateway/core/shapes';
import { BUILDER_CALLBACK_PATH } from '@gateway/libraries';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { fileStorageCallbackTag } from '../machine-reports/callback-tag.ts';
import { reportReceivedShape } from '../machine-reports/receive-report.ts';
import { buildLibrary, getBuilds, receiveBuilderReport } from './handlers.ts';
import { builderReportBody, buildQuery } from './schemas.ts';
import { buildShape, startedBuildShape } from './shapes.ts';

const service = 'sharedFs';

export const libraryBuildEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/admin/file-storage/build',
    tag: adminTags.fileStorage,
    summary: "Build a library's prebuilt file storage",
    description:
      'A separate server installs the library, and the job reports the progress. Each library has one build at a time. ' +
      'Answers 409 with the code `dependency_not_prebuilt` if a library that it depends on has not been built, and 503 with ' +
      'the code `builds_not_configured` if the configuration does not define the build servers.',
    access: 'admin',
    service,
    query: buildQuery,
    writes: { resource: 'file_storage', as: 'named', id: ({ file_storage_id }) => file_storage_id },
    status: 202,
    response: startedBuildShape,
    rateLimits: ['build'],
    startsJob: 'library.build',
    errors: [
      'not_found',
      'conflict',
      'quota_exceeded',
      'dependency_not_prebuilt',
      'cancelled',
      'builds_not_configured',
      'service_user_missing',
    ],
    handler: buildLibrary,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/file-storage/builds',
    tag: adminTags.fileStorage,
    summary: 'Running and recent builds, newest first',
    access: 'admin',
    service,
    response: listOf(buildShape),
    rows: { id: 'job_id', filters: { name: ['library'], version: ['version'] } },
    handler: getBuilds,
  }),
  endpoint({
    method: 'POST',
    path: BUILDER_CALLBACK_PATH,
    tag: fileStorageCallbackTag,
    summary: 'Report of a server that builds a library',
    description: 'Authenticated by the token that the server got at its first boot.',
    access: 'public',
    writes: [],
    service,
    body: builderReportBody,
    response: reportReceivedShape,
    rateLimits: ['callback'],
    errors: ['forbidden'],
    handler: receiveBuilderReport,
  }),
];
