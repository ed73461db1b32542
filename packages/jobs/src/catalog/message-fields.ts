import { decisionFields, id, integer, nonEmptyText, timestamp } from '@gateway/core/shapes';

/** What a job and its events say about their future. */
export const estimateFields = {
  estimated_progress: integer(100)
    .min(0)
    .max(100)
    .nullable()
    .describe(
      'In percent, by how long the last jobs of this type took for their steps. Within a step it moves with time. ' +
        'It never decreases, and is 100 only for a job that has completed. Null if the job failed or is undone.',
    ),
  estimated_step_progress: integer()
    .min(0)
    .max(100)
    .nullable()
    .describe('Where `estimated_progress` is at the end of the step; null if that is not known.'),
  estimated_step_end_at: timestamp(null)
    .nullable()
    .describe('When the step usually ends; null if that is not known.'),
  estimated_end_at: timestamp(null)
    .nullable()
    .describe(
      'When the job usually ends, also while it is queued; null if that is not known, and once the job has ended.',
    ),
};

/** How far a job is. @param done the message of the example */
export function progressFields(done: string) {
  return {
    progress: integer(100).min(-1).max(100).describe('Never decreases, except to -1 for a failure.'),
    message: nonEmptyText(done),
  };
}

/** What all events have besides their step, their progress and the id of their resource. */
export const eventFields = {
  error: nonEmptyText().nullable(),
  job_id: id('job'),
  ...estimateFields,
  code: nonEmptyText().describe('The kind of failure.').optional(),
  ...decisionFields,
};
