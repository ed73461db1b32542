import { flag, integer, part, shape, textOf } from '@gateway/core/shapes';
import { queueNames } from '@gateway/jobs';
import type { QueueName } from '@gateway/platform';
import Joi from 'joi';
import { chosenIdField } from '../../http/schemas/fields.ts';
import { pageQuery, pageShape } from '../../http/schemas/page.ts';
import type { EntriesQuery, EntryParams, QueueParams } from './handlers.ts';
import { ENTRY_STATES, queueEntryShape } from './shapes.ts';

const MAX_MARKER = 10_000_000;

const queue = () =>
  Joi.string()
    .valid(...queueNames)
    .required();

export const queueParams = Joi.object<QueueParams>({ queue: queue() });

export const entryParams = Joi.object<EntryParams>({ queue: queue(), entry_id: chosenIdField().required() });

export const entriesQuery = Joi.object<EntriesQuery, true>({
  state: Joi.string()
    .valid(...ENTRY_STATES)
    .default('active'),
  limit: pageQuery.limit,
  marker: Joi.number().integer().min(1).max(MAX_MARKER).description('`next_marker` of the previous page.'),
});

export const queueShape = shape('Queue', {
  name: textOf<QueueName>('provisioning'),
  counts: part({
    active: integer(3),
    waiting: integer(),
    delayed: integer(),
    failed: integer().describe('The latest 1,000 at most.'),
  }).describe('The number of its entries in each state.'),
  workers: integer(2).describe('Worker processes that serve it and are alive.'),
  is_paused: flag(false).describe('No worker takes an entry of it.'),
});

export const entryPageShape = pageShape('QueueEntryPage', queueEntryShape);
