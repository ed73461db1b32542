import {
  flag,
  id,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';

export const startedVerificationShape = shape('StartedVerification', {
  job_id: id('job').describe('The job that verifies it. Its last event has the result.'),
  file_storage_id: id('file_storage'),
  status: oneOf(['running']),
});

/** A verification that a job has begun. */
export type StartedVerification = ShapeType<typeof startedVerificationShape>;

const verificationShape = shape('LibraryVerification', {
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

/** The result of a verification as the interface shows it. */
export type Verification = ShapeType<typeof verificationShape>;

/** Null for a share that has not been verified, or whose verification is no longer recorded. */
export function verificationField() {
  return verificationShape.nullable();
}
