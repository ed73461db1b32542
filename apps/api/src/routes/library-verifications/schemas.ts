import {
  flag,
  id,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { MAX_PACKAGES, type PackageImport, type VerifierReport } from '@gateway/libraries';
import Joi from 'joi';
import { reportedErrorField } from '../../http/schemas/fields.ts';
import { logTailField, stageField } from '../machine-reports/schemas.ts';
import type { Verification } from './present-verification.ts';

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

/** A verification that a job has begun. */
export interface StartedVerification {
  job_id: string;
  file_storage_id: string;
  status: 'running';
}

export const startedVerificationShape = shapeLike<StartedVerification>('StartedVerification', {
  job_id: id('job').describe('The job that verifies it. Its last event has the result.'),
  file_storage_id: id('file_storage'),
  status: oneOf(['running']),
});

const verificationShape = shapeLike<Verification>('LibraryVerification', {
  status: oneOf(['running', 'passed', 'failed', 'error'], 'passed').describe(
    '`failed` if the library does not work; `error` if that could not be found out.',
  ),
  message: text('The library works.'),
  checked_at: timestamp().nullable().describe('Null while it runs.'),
  packages: listOf(
    part({
      name: nonEmptyText('numpy'),
      version: text('2.3.5').nullable().describe('Null for a package that is not there.'),
      imported: flag().describe('False also for a package without modules to import.'),
      error: text().nullable().describe('Why the package does not work.'),
    }),
  ).describe('The packages that the definition of the library requires.'),
  job_id: id('job'),
});

/** Null for a share that has not been verified, or whose verification is no longer recorded. */
export function verificationField() {
  return verificationShape.nullable();
}
