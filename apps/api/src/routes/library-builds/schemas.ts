import { type BuilderManifest, type BuilderReport, MAX_PACKAGES, PINNED_PACKAGE } from '@gateway/libraries';
import Joi from 'joi';
import { nullableText, reportedErrorField, shape, text, timestamp } from '../../http/schemas/fields.ts';
import { verificationField } from '../library-verifications/schemas.ts';
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

export interface StartedBuild {
  /** Null if the share was not created within the time limit of the request. */
  file_storage_id: string | null;
  status: 'building';
  library: string;
  library_id: string;
  version: string;
  job_id: string;
}

export const startedBuildShape = shape<StartedBuild>(
  'StartedLibraryBuild',
  {
    file_storage_id: Joi.string()
      .allow(null)
      .description('Null if the share was not created within the time limit of the request.'),
    status: Joi.string().valid('building'),
    library: Joi.string(),
    library_id: Joi.string(),
    version: Joi.string(),
    job_id: Joi.string(),
  },
  () => ({ library: 'Python 3.11' }),
);

export const buildShape = shape<ReturnType<typeof presentBuild>>(
  'LibraryBuild',
  {
    library_id: Joi.string(),
    library: Joi.string(),
    version: text(),
    file_storage_id: nullableText(),
    file_storage_name: nullableText(),
    server_id: nullableText().description('The server that builds, while it exists.'),
    server_name: nullableText(),
    status: Joi.string().valid('building', 'ready', 'error', 'timeout'),
    progress: Joi.number().integer().min(-1).max(100),
    message: text(),
    log_tail: nullableText().description("The end of the builder's log, as it last reported it."),
    started_at: timestamp(),
    updated_at: timestamp(),
    job_id: Joi.string(),
    verification: verificationField().description(
      'The latest verification of the file storage. Null if there is none, or if it was cancelled.',
    ),
  },
  () => ({
    status: 'ready',
    library: 'Python 3.11',
    message: 'The share is published.',
    server_id: null,
    server_name: null,
  }),
);
