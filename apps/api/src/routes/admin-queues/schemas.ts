import { queueNames } from '@gateway/jobs';
import Joi from 'joi';
import { chosenIdField, listOf, nullableText, part, shape, timestamp } from '../../http/schemas/fields.ts';
import { pageQuery, pageShape } from '../../http/schemas/page.ts';
import { jobStates } from '../jobs/schemas.ts';
import type { EntriesQuery, EntryParams, getQueues, QueueParams } from './handlers.ts';
import type { ShownEntry, ShownState } from './present.ts';

type Queue = Awaited<ReturnType<typeof getQueues>>[number];

const MAX_MARKER = 10_000_000;
const ENTRY_STATES: readonly ShownState[] = ['active', 'waiting', 'delayed', 'failed'];

const queue = () =>
  Joi.string()
    .valid(...queueNames)
    .required();
const count = () => Joi.number().integer();
const optionalTime = () => timestamp().allow(null);

export const queueParams = Joi.object<QueueParams>({ queue: queue() });

export const entryParams = Joi.object<EntryParams>({ queue: queue(), entry_id: chosenIdField().required() });

export const entriesQuery = Joi.object<EntriesQuery, true>({
  state: Joi.string()
    .valid(...ENTRY_STATES)
    .default('active'),
  limit: pageQuery.limit,
  marker: Joi.number().integer().min(1).max(MAX_MARKER).description('`next_marker` of the previous page.'),
});

export const queueShape = shape<Queue>(
  'Queue',
  {
    name: Joi.string(),
    counts: part<Queue['counts']>({
      active: count(),
      waiting: count(),
      delayed: count(),
      failed: count().description('The latest 1,000 at most.'),
    }).description('The number of its entries in each state.'),
    workers: count().description('Worker processes that serve it and are alive.'),
    is_paused: Joi.boolean().description('No worker takes an entry of it.'),
  },
  () => ({ name: 'provisioning', workers: 2, is_paused: false }),
);

export const queueEntryShape = shape<ShownEntry>(
  'QueueEntry',
  {
    id: Joi.string().description('Of a job the id of the job.'),
    type: Joi.string().description('The type of the job, or the name of a task of the gateway.'),
    state: Joi.string()
      .valid(...ENTRY_STATES)
      .description('`failed`: a job that has failed and is no longer in the queue.'),
    created_at: timestamp(),
    begun_at: optionalTime(),
    due_at: optionalTime().description('When a delayed entry is due; null if it was deferred since.'),
    failed_at: optionalTime(),
    delay_ms: count(),
    first_delay_ms: count().description('Differs from `delay_ms` if the entry was deferred since.'),
    broken_runs: count().description('Runs that were interrupted.'),
    status: Joi.string()
      .valid(...jobStates)
      .allow(null)
      .description('The state of the job; null for a task of the gateway, as all that follows.'),
    step: Joi.string().allow(null),
    progress: count(),
    project_id: nullableText(),
    project_name: nullableText(),
    user_id: nullableText(),
    user_name: nullableText(),
    resource_id: nullableText(),
    request_id: nullableText(),
    cancel_requested: Joi.boolean(),
    error_code: nullableText(),
    error_status: count().allow(null),
    error_service: nullableText(),
    error_request_id: nullableText().description('The request of that service.'),
    leftovers: listOf(part<ShownEntry['leftovers'][number]>({ type: Joi.string(), id: nullableText() })),
    updated_at: optionalTime(),
  },
  () => ({
    type: 'instance.create',
    state: 'active',
    status: 'running',
    step: 'SERVER_CREATING',
    progress: 95,
    due_at: null,
    failed_at: null,
    delay_ms: 0,
    first_delay_ms: 0,
    broken_runs: 0,
    cancel_requested: false,
    error_code: null,
    error_status: null,
    error_service: null,
    error_request_id: null,
  }),
);

export const entryPageShape = pageShape('QueueEntryPage', queueEntryShape);
