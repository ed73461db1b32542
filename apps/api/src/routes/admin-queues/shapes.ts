import {
  enumOf,
  flag,
  id,
  idOrEmpty,
  integer,
  listOf,
  nonEmptyText,
  part,
  type ShapeType,
  shape,
  text,
  textOf,
  timestamp,
} from '@gateway/core/shapes';
import type { QueueName } from '@gateway/platform';
import { pageShape } from '../../http/schemas/page.ts';
import { jobStates } from '../jobs/shapes.ts';

export const ENTRY_STATES = ['active', 'waiting', 'delayed', 'failed'] as const;

/** A state of a queue entry, or failed, when the job is no longer in the queue. */
export type ShownState = (typeof ENTRY_STATES)[number];

const optionalTime = (example?: null) => timestamp(example).nullable();

export const queueEntryShape = shape('QueueEntry', {
  id: id('job').describe('Of a job the id of the job.'),
  type: nonEmptyText('instance.create').describe(
    'The type of the job, or the name of a task of the gateway.',
  ),
  state: enumOf('QueueEntryState', ENTRY_STATES).describe(
    '`failed`: a job that has failed and is no longer in the queue.',
  ),
  created_at: timestamp(),
  begun_at: optionalTime(),
  due_at: optionalTime(null).describe('When a delayed entry is due; null if it was deferred since.'),
  failed_at: optionalTime(null),
  delay_ms: integer(0),
  first_delay_ms: integer(0).describe('Differs from `delay_ms` if the entry was deferred since.'),
  broken_runs: integer(0).describe('Runs that were interrupted.'),
  status: enumOf('JobState', jobStates, 'running')
    .nullable()
    .describe('The state of the job; null for a task of the gateway, as all that follows.'),
  step: nonEmptyText('SERVER_CREATING').nullable(),
  progress: integer(95),
  project_id: idOrEmpty('project').nullable(),
  project_name: text('demo').nullable(),
  user_id: idOrEmpty('user').nullable(),
  user_name: text('demo').nullable(),
  resource_id: idOrEmpty('instance').nullable(),
  request_id: text('req-6f1c0c1e-5a2b-4c39-9a38-0f8d0f3f2a51').nullable(),
  cancel_requested: flag(false),
  error_code: text().nullable(),
  error_status: integer().nullable(),
  error_service: text().nullable(),
  error_request_id: text().nullable().describe('The request of that service.'),
  leftovers: listOf(part({ type: nonEmptyText('volume'), id: idOrEmpty('volume') }), []),
  updated_at: optionalTime(),
});

export type ShownEntry = ShapeType<typeof queueEntryShape>;

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
