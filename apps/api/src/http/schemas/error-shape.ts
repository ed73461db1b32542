import { CONFLICT_REASONS, type ConflictReason, type ErrorBody } from '@gateway/core';
import {
  enumOf,
  integer,
  listOf,
  nonEmptyText,
  part,
  shape,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';

/** Fields of a request, such as `body.name`. */
export function fieldErrors(example?: readonly []) {
  const fields = { field: nonEmptyText('body.name'), message: nonEmptyText('must not be empty') };
  return listOf(part(fields), example);
}

/** What a client decides by besides the code: of an error, and of the last event of a job that has failed. */
export const decisionFields = {
  reason: enumOf('ConflictReason', Object.keys(CONFLICT_REASONS) as ConflictReason[], 'in_use')
    .describe('Of a `conflict` only. docs/errors.md says what a client can do.')
    .optional(),
  params: shape('ErrorParams', {
    quota: nonEmptyText('cores').optional(),
    requested: integer(4).optional(),
    in_use: integer(18).optional(),
    limit: integer(20).optional(),
    state: nonEmptyText('in-use').optional(),
    name: nonEmptyText('apps').optional(),
  })
    .describe(
      'The values of the sentence, for clients with sentences of their own: of the first quota that is exceeded, as far ' +
        'as they are known, of the state that refuses, or of the name that is taken.',
    )
    .optional(),
  errors: fieldErrors().describe('The fields of the request that are the cause.').optional(),
};

/** The body of every error. */
export const errorShape = shapeLike<ErrorBody>('Error', {
  detail: text('The volume is in use.').describe('What went wrong, in words that can be shown to a user.'),
  code: nonEmptyText('conflict').describe(
    'A stable name of the kind of error. Of a 404: `not_found` for a resource, `service_disabled` for an optional ' +
      'service that is switched off here, `route_not_found` for an address that does not exist.',
  ),
  request_id: nonEmptyText('req-6f1c0c1e-5a2b-4c39-9a38-0f8d0f3f2a51'),
  ...decisionFields,
  job_id: nonEmptyText().optional(),
  upstream: part({
    service: nonEmptyText('compute'),
    status: integer(1).nullable(),
    request_id: nonEmptyText().nullable(),
  }).optional(),
  receipt: nonEmptyText().describe('Continues the log-in once, with what is missing. A secret.').optional(),
  receipt_expires_at: timestamp(null).optional(),
  missing_methods: listOf(nonEmptyText()).describe('What the log-in needs besides: `totp`.').optional(),
});
