import {
  flag,
  idOrEmpty,
  integer,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  type ShapeType,
  shape,
  text,
  textOf,
  timestamp,
} from '@gateway/core/shapes';
import type { ServiceName } from '@gateway/platform';

export const leftoversShape = shape('Leftovers', {
  items: listOf(
    part({
      type: nonEmptyText('volume').describe(
        'As in the `leftovers` of a job; a `LeftoverType` if it is removable.',
      ),
      id: idOrEmpty('leftover').describe('Empty if the job does not know it.'),
      name: text('data').describe('Of a floating IP the address.'),
      project_id: idOrEmpty('project'),
      project_name: text('demo').nullable(),
      created_at: timestamp().nullable(),
      job_id: idOrEmpty('job')
        .nullable()
        .describe('The job that could not remove it, else the one that its mark names.'),
      instance_id: idOrEmpty('instance').nullable().describe('The instance that its mark names.'),
      cluster_id: text().nullable().describe('The lite cluster that its mark names.'),
      source: oneOf(['job', 'mark']).describe(
        'Who says so: a job that could not remove it, or its mark, which nothing living has.',
      ),
      reason: text('The service refuses to delete it.'),
      is_removable: flag().describe(
        'False for what does not bear the mark of the gateway, is in use, or can be removed by its job only.',
      ),
      doubt: text().nullable().describe('Why to check it first: it is removed only with `force`.'),
    }),
  ).describe('Oldest first; at most 1,000.'),
  total: integer(),
  unavailable: listOf(textOf<ServiceName>(), []).describe(
    'The services that are unavailable at the moment, whose resources are missing.',
  ),
});

export type Leftovers = ShapeType<typeof leftoversShape>;
