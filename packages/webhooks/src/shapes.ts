import {
  enumOf,
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
import { jobStatuses } from '@gateway/jobs';
import type { EventType } from './event-types.ts';

/** The fields of a job have the names that they have in `GET /api/jobs/{job_id}`. */
const jobFields = {
  job_id: id('job'),
  job_type: nonEmptyText('volume.create'),
  status: enumOf('JobStatus', jobStatuses, 'failed'),
  project_id: id('project'),
  user_id: id('user').describe('Who has started the job.'),
  user_name: text('demo').nullable().describe('Null for a job that the gateway has started.'),
  resource_type: text('volume').nullable().describe('What the job creates or changes, such as `volume`.'),
  resource_id: id('volume').nullable().describe('Null if it is not known.'),
  resource_name: text('data').nullable(),
  error: nonEmptyText().nullable().describe('Why the job has failed; a sentence for people.'),
  error_code: nonEmptyText().nullable().describe('A code of `docs/errors.md`.'),
  leftover_count: integer(0),
  created_at: timestamp(),
  started_at: timestamp().nullable().describe('Null if no worker has begun.'),
};

const endedJobFields = { ...jobFields, ended_at: timestamp() };

const failed = {
  resource_id: null,
  error: 'The quota of the project is exceeded (volumes: 10 of 10 in use, 1 requested).',
  error_code: 'quota_exceeded',
};
const left = { type: 'volume', id: 'b4f6c1d0-2e9a-4c7b-8d3f-5a1e0c9b7d62', reason: 'The volume is in use.' };

const quotaServices = ['blockStorage', 'compute', 'loadBalancer', 'network', 'sharedFileSystem'] as const;

/**
 * The messages by their type. They describe the bodies in the OpenAPI document, and their types are those of
 * what the sender gets: only who describes responses loads this.
 */
export const messageShapes = {
  'job.completed': message('JobCompletedWebhook', 'job.completed', endedJobFields, { status: 'completed' }),
  'job.failed': message('JobFailedWebhook', 'job.failed', endedJobFields, failed),
  'job.cancelled': message('JobCancelledWebhook', 'job.cancelled', endedJobFields, {
    resource_id: null,
    status: 'cancelled',
    error: 'The job was cancelled.',
    error_code: 'cancelled',
  }),
  'job.held': message(
    'JobHeldWebhook',
    'job.held',
    {
      ...jobFields,
      hold_reason: nonEmptyText('lost_runs')
        .nullable()
        .describe('`lost_runs`: its runs have ended with their workers; `administrator`: somebody holds it.'),
      held_at: timestamp(),
    },
    { status: 'running' },
  ),
  'job.leftovers': message(
    'JobLeftoversWebhook',
    'job.leftovers',
    {
      ...endedJobFields,
      leftovers: listOf(part({ type: nonEmptyText(), id: text(), reason: text() }), [left]).describe(
        'What could not be removed; the first 50.',
      ),
    },
    { ...failed, leftover_count: 1 },
  ),
  'auto_backup.failed': message(
    'AutoBackupFailedWebhook',
    'auto_backup.failed',
    {
      ...endedJobFields,
      auto_backup_id: id('auto_backup').nullable(),
      volume_id: id('volume').nullable().describe('Null if it is not known.'),
    },
    {
      job_type: 'volume.auto-backup',
      resource_type: 'backup',
      ...{ resource_id: null, resource_name: null },
      ...{ error: 'The backup is in the state error.', error_code: 'upstream_error' },
    },
  ),
  'lite_cluster.certificate_expiring': message(
    'LiteClusterCertificateExpiringWebhook',
    'lite_cluster.certificate_expiring',
    {
      cluster_id: id('cluster'),
      cluster_name: text('apps'),
      project_id: id('project'),
      certificate_expires_at: timestamp('2026-12-04T09:30:00Z'),
    },
  ),
  'quota.nearly_full': message('QuotaNearlyFullWebhook', 'quota.nearly_full', {
    project_id: id('project'),
    project_name: text('demo'),
    service: oneOf(quotaServices, 'compute'),
    quota: nonEmptyText('cores').describe(
      'Its name in the quotas of the project; `gpu:` with the type for a quota on GPUs.',
    ),
    in_use: integer(16).describe('When the gateway read it; `ram` in MB.'),
    limit: integer(20).min(1),
  }),
  'webhook.test': message('TestWebhook', 'webhook.test', {
    webhook_id: id('webhook'),
    project_id: id('project').nullable().describe('Null for a webhook of the site.'),
    user_id: id('user').describe('Who tries it.'),
    user_name: text('demo'),
  }),
} satisfies Record<EventType, unknown>;

/** What the message of an event of this type says. */
export type EventData<Type extends EventType> = ShapeType<(typeof messageShapes)[Type]['shape']['data']>;

/** @param example fields of `data` that the example of the message shows differently */
function message<Type extends EventType, Fields extends Parameters<typeof part>[0]>(
  name: string,
  type: Type,
  fields: Fields,
  example: object = {},
) {
  const all = {
    type: oneOf([type]),
    timestamp: timestamp().describe('When it happened.'),
    data: part(fields),
  };
  return shape(name, all, () => ({ data: example }));
}
