import { watchedResources } from '@gateway/core';
import Joi from 'joi';
import { idField, nullableText, shape } from '../../http/schemas/fields.ts';

/** The types of events: jobs, and the resources whose lists are watched. */
export const eventTypes = ['job', ...watchedResources] as const;

/** The data of an event. Scripts of the store write it; see `append-change.ts` in `packages/jobs`. */
export interface ResourceEvent {
  type: (typeof eventTypes)[number];
  id: string;
  change: 'created' | 'updated' | 'deleted';
  state: string | null;
  job_id: string | null;
}

export const resourceEventShape = shape<ResourceEvent>(
  'ResourceEvent',
  {
    type: Joi.string().valid(...eventTypes),
    id: Joi.string().description('The id of the resource; the name of a key pair.'),
    change: Joi.string().valid('created', 'updated', 'deleted'),
    state: nullableText().description('As in the list of the resource; null if it has none, or is deleted.'),
    job_id: idField().allow(null).description('The job that has made the change, if it is known.'),
  },
  () => ({ type: 'instance', change: 'updated', state: 'SHUTOFF', job_id: null }),
);
