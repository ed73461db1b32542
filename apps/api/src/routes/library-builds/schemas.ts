import {
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  oneOf,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { type BuilderManifest, type BuilderReport, MAX_PACKAGES, PINNED_PACKAGE } from '@gateway/libraries';
import Joi from 'joi';
import { reportedErrorField } from '../../http/schemas/fields.ts';
import { verificationField } from '../library-verifications/shapes.ts';
import { logTailField, stageField } from '../machine-reports/schemas.ts';
import type { presentBuild } from './present-build.ts';

export interface BuildQuery {
  library_id: string;
}

export type BuilderReportBody = BuilderReport & { token: string };

export const buildQuery = Joi.object<BuildQuery, true>({
  library_id: Joi.string().max(255).required(),
});

export const builderReportBody = Joi.object<BuilderReportBody, true>({
  token: Joi.string().max(255).required(),
  stage: stageField().description('The current stage of the builder.'),
  success: Joi.boolean().description(
    'The result; absent until the build has ended. A report with a result invalidates the token.',
  ),
  error: reportedErrorField(),
  log_tail: logTailField().description("The end of the builder's log."),
  manifest: Joi.object<BuilderManifest, true>({
    library: Joi.string().max(255).required(),
    version: Joi.string().max(255).required(),
    built_at: Joi.string().max(64).required(),
    files: Joi.number().integer().min(0).required(),
    checksum: Joi.string()
      .pattern(/^[0-9a-f]{64}$/)
      .required(),
    packages: Joi.array()
      .max(MAX_PACKAGES)
      .items(Joi.string().max(255).pattern(PINNED_PACKAGE))
      .description('The installed Python packages with their versions, as `numpy==2.2.1`.'),
  })
    .when('success', { not: Joi.valid(true).required(), otherwise: Joi.required() })
    .description('The content of the share; required if `success` is true.'),
});

export const buildShape = shapeLike<ReturnType<typeof presentBuild>>('LibraryBuild', {
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
