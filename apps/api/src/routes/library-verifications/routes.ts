import { VERIFIER_CALLBACK_PATH } from '@gateway/libraries';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { fileStorageCallbackTag } from '../machine-reports/callback-tag.ts';
import { reportReceivedShape } from '../machine-reports/receive-report.ts';
import { receiveVerifierReport, verifyFileStorage } from './handlers.ts';
import { verifierReportBody } from './schemas.ts';
import { startedVerificationShape } from './shapes.ts';

const service = 'sharedFs';

export const libraryVerificationEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/admin/file-storage/:file_storage_id/verify',
    tag: adminTags.fileStorage,
    summary: "Verify a library's prebuilt file storage",
    description:
      'A separate server mounts it as instances do, imports the packages of the library and is removed. The job completes ' +
      'whether or not the library works: the list of builds and the last event of the job have the result. Answers 409 while ' +
      'the file storage is being verified, and if instances cannot use it.',
    access: 'admin',
    service,
    params: pathIds('file_storage_id'),
    status: 202,
    response: startedVerificationShape,
    rateLimits: ['build'],
    startsJob: 'library.verify',
    errors: ['conflict', 'dependency_not_prebuilt', 'builds_not_configured', 'service_user_missing'],
    handler: verifyFileStorage,
  }),
  endpoint({
    method: 'POST',
    path: VERIFIER_CALLBACK_PATH,
    tag: fileStorageCallbackTag,
    summary: 'Report of a server that verifies a library',
    description: 'Authenticated by the token that the server got at its first boot.',
    access: 'public',
    writes: [],
    service,
    body: verifierReportBody,
    response: reportReceivedShape,
    rateLimits: ['callback'],
    errors: ['forbidden'],
    handler: receiveVerifierReport,
  }),
];
