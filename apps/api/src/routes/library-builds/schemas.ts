import { type BuilderManifest, type BuilderReport, MAX_PACKAGES, PINNED_PACKAGE } from '@gateway/libraries';
import Joi from 'joi';
import { reportedErrorField } from '../../http/schemas/fields.ts';
import { logTailField, stageField } from '../machine-reports/schemas.ts';

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
