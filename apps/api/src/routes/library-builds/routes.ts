import Joi from 'joi';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTag } from '../admin-tag.ts';
import { buildLibrary, getBuilds, takeBuilderReport } from './handlers.ts';
import { builderReportBody, buildQuery, buildShape, startedBuildShape, takenShape } from './schemas.ts';

const service = 'sharedFs';

export const libraryBuildEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/admin/file-storage/build',
    tag: adminTag,
    summary: "Build a library's prebuilt file storage",
    description:
      'A machine of its own installs the library; the job tells how it comes along. One build of a library at a time. ' +
      'Answered with 503 and the code `builds_not_configured` where nobody has said what such machines are made of.',
    access: 'admin',
    service,
    query: buildQuery,
    status: 202,
    response: startedBuildShape,
    rateLimits: ['build'],
    startsJob: true,
    errors: [404, 409],
    handler: buildLibrary,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/file-storage/builds',
    tag: adminTag,
    summary: 'Builds that go on, and those that ended lately, newest first',
    access: 'admin',
    service,
    response: Joi.array().items(buildShape),
    handler: getBuilds,
  }),
  endpoint({
    method: 'POST',
    path: '/api/file-storage/builds/callback',
    tag: { name: 'file-storage-callback', description: 'Reports of machines that build libraries' },
    summary: 'Report of a machine that builds a library',
    description: 'Known by the token that the machine was given at its first boot.',
    access: 'public',
    service,
    body: builderReportBody,
    response: takenShape,
    rateLimits: ['callback'],
    errors: [403],
    handler: takeBuilderReport,
  }),
];
