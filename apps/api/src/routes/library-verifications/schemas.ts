import { MAX_PACKAGES, type PackageImport, type VerifierReport } from '@gateway/libraries';
import Joi from 'joi';
import { reportedErrorField } from '../../http/schemas/fields.ts';
import { logTailField, stageField } from '../machine-reports/schemas.ts';

export type VerifierReportBody = VerifierReport & { token: string };

export const verifierReportBody = Joi.object<VerifierReportBody, true>({
  token: Joi.string().max(255).required(),
  stage: stageField().description('The current stage of the verifier.'),
  success: Joi.boolean().description(
    'Whether the packages were tried; absent until the verification has ended. A report with a result invalidates the token.',
  ),
  error: reportedErrorField(),
  log_tail: logTailField().description("The end of the verifier's log."),
  packages: Joi.array()
    .max(MAX_PACKAGES)
    .items(
      Joi.object<PackageImport, true>({
        name: Joi.string().max(255).required(),
        version: Joi.string().max(255).allow(null).required(),
        imported: Joi.boolean().required(),
        error: reportedErrorField().required(),
      }),
    )
    .when('success', { not: Joi.valid(true).required(), otherwise: Joi.required() })
    .description('The packages of the library; required if `success` is true.'),
}).required();
