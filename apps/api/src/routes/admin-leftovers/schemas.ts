import { LEFTOVER_TYPES, type LeftoverType } from '@gateway/inventory';
import type { ServiceName } from '@gateway/platform';
import type { Leftovers } from '@gateway/resources';
import Joi from 'joi';
import { idField, listOf, nullableText, part, shape, text, timestamp } from '../../http/schemas/fields.ts';

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

const type = () => Joi.string().valid(...LEFTOVER_TYPES);

export const leftoverParams = Joi.object<LeftoverParams>({
  type: type().required(),
  resource_id: idField().required(),
});

export const removeLeftoverBody = Joi.object<RemoveLeftoverBody, true>({
  force: Joi.boolean().default(false).description('Removes it although it has a `doubt`.'),
})
  .optional()
  .meta({ name: 'RemoveLeftover' });

export const leftoversShape = shape<Leftovers>(
  'Leftovers',
  {
    items: listOf(
      part<Leftovers['items'][number]>({
        type: Joi.string().description('As in the `leftovers` of a job.'),
        id: text().description('Empty if the job does not know it.'),
        name: text().description('Of a floating IP the address.'),
        project_id: text(),
        project_name: nullableText(),
        created_at: timestamp().allow(null),
        job_id: nullableText().description(
          'The job that could not remove it, else the one that its mark names.',
        ),
        instance_id: nullableText().description('The instance that its mark names.'),
        cluster_id: nullableText().description('The lite cluster that its mark names.'),
        source: Joi.string()
          .valid('job', 'mark')
          .description('Who says so: a job that could not remove it, or its mark, which nothing living has.'),
        reason: text(),
        is_removable: Joi.boolean().description(
          'False for what does not bear the mark of the gateway, is in use, or can be removed by its job only.',
        ),
        doubt: nullableText().description('Why to check it first: it is removed only with `force`.'),
      }),
    ).description('Oldest first; at most 1,000.'),
    total: Joi.number().integer(),
    unavailable: listOf(Joi.string<ServiceName>()).description(
      'The services that are unavailable at the moment, whose resources are missing.',
    ),
  },
  () => ({
    items: [
      { type: 'volume', name: 'data', source: 'job', is_removable: true, doubt: null, cluster_id: null },
    ],
    total: 1,
  }),
);

export const leftoverRemovalShape = shape<StartedRemoval>('LeftoverRemoval', {
  job_id: Joi.string().description('The job that removes it.'),
  type: type(),
  id: Joi.string(),
});
