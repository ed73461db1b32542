import {
  flag,
  id,
  integer,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { allowedActionsField } from '@gateway/resources/shapes';
import { jobActions } from '../../resources/job-actions.ts';
import { jobFields } from '../jobs/shapes.ts';

export const adminJobShape = shape(
  'AdminJob',
  {
    ...jobFields,
    project_id: id('project'),
    project_name: text('demo').nullable(),
    request_id: nonEmptyText('req-6f1c0c1e-5a2b-4c39-9a38-0f8d0f3f2a51').describe(
      'The request that has started the job.',
    ),
    code: nonEmptyText().nullable().describe('The code of `error`.'),
    runs: integer(6).describe('How often a worker has begun or continued it.'),
    lost_runs: integer(5).describe(
      'Runs in a row that have ended with their workers, without a result and without progress.',
    ),
    faults: integer(0).describe('Runs that a fault of the gateway has broken off.'),
    cancel_requested: flag(false),
    hold_reason: oneOf(['lost_runs', 'administrator'])
      .nullable()
      .describe('`lost_runs`: the gateway holds it, because its runs have ended with their workers.'),
    held_at: timestamp(null).nullable(),
    allowed_actions: allowedActionsField('job', jobActions),
  },
  () => ({
    status: 'running',
    state: 'held',
    step: 'SERVER_CREATING',
    progress: 95,
    message:
      'The job is held, because its runs have ended several times without a result. It keeps what it has made until an administrator releases or cancels it.',
    estimated_progress: null,
    allowed_actions: ['release', 'cancel'],
  }),
);

/** A job as administrators see it, with its project and its runs. */
export type AdminJob = ShapeType<typeof adminJobShape>;

export const jobStepsShape = shape('JobSteps', {
  items: listOf(
    part({
      seq: integer().min(1).describe('The id of the event in a stream of the job.'),
      step: nonEmptyText('SERVER_CREATING'),
      progress: integer(95).nullable().describe('Null for a failure, and while the job is undone.'),
      message: text('The server is being created.'),
      began_at: timestamp()
        .nullable()
        .describe('When the step began, and when the job ended in its last event; null if it is not known.'),
    }),
  ),
});

export type JobSteps = ShapeType<typeof jobStepsShape>;

export const failuresShape = shape('Failures', {
  items: listOf(
    part({
      id: id('job').describe('The job; of a first boot the one that has created the instance.'),
      type: nonEmptyText('instance.create').describe('The type of the job, or `instance first boot`.'),
      step: nonEmptyText('SERVER_CREATING')
        .nullable()
        .describe('The last step, or the stage of the first boot.'),
      project_id: id('project'),
      project_name: text('demo').nullable(),
      reason: text('The quota of the project does not allow it.').describe(
        'The sentence that its users have read.',
      ),
      code: text('quota_exceeded')
        .nullable()
        .describe('The code of the error, or the stage of the first boot.'),
      status: integer(409).nullable().describe('The status of the error.'),
      service: text('compute').nullable().describe('The service of the cloud that has refused or failed.'),
      request_id: text('req-6f1c0c1e-5a2b-4c39-9a38-0f8d0f3f2a51')
        .nullable()
        .describe('The request that has started the job.'),
      failed_at: timestamp(),
    }),
  ).describe('The latest first; at most 200.'),
  total: integer(),
});

export type Failures = ShapeType<typeof failuresShape>;
