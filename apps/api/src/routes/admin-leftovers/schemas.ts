import {
  flag,
  id,
  idOrEmpty,
  integer,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  shapeLike,
  text,
  textOf,
  timestamp,
} from '@gateway/core/shapes';
import { LEFTOVER_TYPES, type LeftoverType } from '@gateway/inventory';
import type { ServiceName } from '@gateway/platform';
import type { Leftovers } from '@gateway/resources';
import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

export interface LeftoverParams {
  type: LeftoverType;
  resource_id: string;
}

export interface RemoveLeftoverBody {
  force: boolean;
}

/** A removal that a job has begun. */
export interface StartedRemoval {
  job_id: string;
  type: LeftoverType;
  id: string;
}

const type = () => oneOf(LEFTOVER_TYPES, 'server');

export const leftoverParams = Joi.object<LeftoverParams>({
  type: Joi.string()
    .valid(...LEFTOVER_TYPES)
    .required(),
  resource_id: idField().required(),
});

export const removeLeftoverBody = Joi.object<RemoveLeftoverBody, true>({
  force: Joi.boolean().default(false).description('Removes it although it has a `doubt`.'),
})
  .optional()
  .meta({ name: 'RemoveLeftover' });

export const leftoversShape = shapeLike<Leftovers>('Leftovers', {
  items: listOf(
    part({
      type: nonEmptyText('volume').describe('As in the `leftovers` of a job.'),
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

export const leftoverRemovalShape = shapeLike<StartedRemoval>('LeftoverRemoval', {
  job_id: id('job').describe('The job that removes it.'),
  type: type(),
  id: id('leftover_removal'),
});
