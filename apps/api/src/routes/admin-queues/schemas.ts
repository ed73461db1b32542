import { queueNames } from '@gateway/jobs';
import Joi from 'joi';
import { chosenIdField } from '../../http/schemas/fields.ts';
import { pageQuery } from '../../http/schemas/page.ts';
import type { EntriesQuery, EntryParams, QueueParams } from './handlers.ts';
import { ENTRY_STATES } from './shapes.ts';

const MAX_MARKER = 10_000_000;

const queue = () =>
  Joi.string()
    .valid(...queueNames)
    .meta({ name: 'QueueName' })
    .required();

export const queueParams = Joi.object<QueueParams>({ queue: queue() });

export const entryParams = Joi.object<EntryParams>({ queue: queue(), entry_id: chosenIdField().required() });

export const entriesQuery = Joi.object<EntriesQuery, true>({
  state: Joi.string()
    .valid(...ENTRY_STATES)
    .meta({ name: 'QueueEntryState' })
    .default('active'),
  limit: pageQuery.limit,
  marker: Joi.number().integer().min(1).max(MAX_MARKER).description('`next_marker` of the previous page.'),
});
