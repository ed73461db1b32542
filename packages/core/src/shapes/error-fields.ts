import { CONFLICT_REASONS, type ConflictReason } from '../conflict-reasons.ts';
import { enumOf, integer, listOf, nonEmptyText } from './fields.ts';
import { part, shape } from './shape.ts';

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
