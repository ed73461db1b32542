import type { ErrorBody } from '@gateway/core';
import {
  decisionFields,
  integer,
  listOf,
  nonEmptyText,
  part,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';

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
