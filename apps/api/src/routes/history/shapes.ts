import {
  enumOf,
  id,
  idOrEmpty,
  integer,
  listOf,
  namesBeside,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  textOf,
  timestamp,
} from '@gateway/core/shapes';
import type { HistoryOutcome, JobType } from '@gateway/jobs';

export const outcomes: HistoryOutcome[] = ['accepted', 'completed', 'failed', 'cancelled', 'unknown'];

export const historyEntryShape = shape('HistoryEntry', {
  id: id('history_entry'),
  timestamp: timestamp('2026-11-22T09:00:00Z'),
  user_id: id('user').describe('Who has done it.'),
  user_name: text('demo').nullable().describe('Null for a job that the gateway has started.'),
  method: text('POST').nullable().describe('Null for a job without a request.'),
  route: text('/api/instances/async')
    .nullable()
    .describe('The path, as in this document: with the names of the ids.'),
  status: integer(200)
    .nullable()
    .describe('The status of the response; 499 if the client did not wait for it.'),
  outcome: enumOf('HistoryOutcome', outcomes, 'completed').describe(
    'How it ended. `accepted`: a job continues. `unknown`: the client did not wait for the response.',
  ),
  code: text().nullable().describe('The kind of failure; null if there is none.'),
  error: text().nullable().describe('Why the job failed.'),
  resource_type: text('instance').nullable().describe('Of what a job creates or changes.'),
  resource_name: text('web-1').nullable(),
  resource_ids: listOf(id('resource')).describe(
    'The ids in the path, and those of what was created or changed; a key pair has its name.',
  ),
  resource_names: namesBeside('64c223b2-db3f-4cbf-9672-7029525e713f').describe(
    'In the order of the ids, as they are now; of what is gone, as the history has last named it, or null.',
  ),
  job_id: idOrEmpty('job').nullable().describe('Null without a job.'),
  job_type: textOf<JobType>('instance.create')
    .nullable()
    .describe('Null without a job, and until it has ended.'),
  ended_at: timestamp(null).nullable().describe('When the job ended.'),
  request_id: nonEmptyText('req-6f1c0c1e-5a2b-4c39-9a38-0f8d0f3f2a51'),
});

export type PresentedEntry = ShapeType<typeof historyEntryShape>;
