import { MAX_SCHEDULE_LENGTH } from '@gateway/auto-backup';
import Joi from 'joi';
import { nullableText, pathIds, shape, timestamp } from '../../http/schemas/fields.ts';
import type { PresentedAutoBackup } from './present.ts';

export interface AutoBackupBody {
  schedule: string;
  retention: number;
  prefix?: string;
  full_every: number;
}

const MAX_RETENTION = 100;
const DEFAULT_RETENTION = 5;
/** A restore reads all backups back to the full one. */
const MAX_FULL_EVERY = 100;
export const DEFAULT_PREFIX = 'auto';

export const autoBackupParams = pathIds('volume_id');

export const autoBackupBody = Joi.object<AutoBackupBody, true>({
  schedule: Joi.string()
    .max(MAX_SCHEDULE_LENGTH)
    .required()
    .description('A cron expression of five fields, in UTC, such as `0 3 * * *`.'),
  retention: Joi.number()
    .integer()
    .min(1)
    .max(MAX_RETENTION)
    .default(DEFAULT_RETENTION)
    .description(
      'How many backups of this configuration are kept. A full one and the incremental ones after it are deleted together, once the newer ones are this many.',
    ),
  prefix: Joi.string()
    .pattern(/^[\w-]{1,64}$/)
    .messages({ 'string.pattern.base': 'must have 1 to 64 letters, digits, hyphens and underscores' })
    .description(`The beginning of the backups' names; \`${DEFAULT_PREFIX}\` by default.`),
  full_every: Joi.number()
    .integer()
    .min(1)
    .max(MAX_FULL_EVERY)
    .default(1)
    .description(
      'Of this many backups in a row, the first is full; the others are incremental and save the changes since the one before.',
    ),
}).required();

export const autoBackupShape = shape<PresentedAutoBackup>('AutoBackup', {
  id: Joi.string(),
  volume_id: Joi.string(),
  volume_name: nullableText(),
  project_id: Joi.string(),
  project_name: nullableText(),
  schedule: Joi.string(),
  retention: Joi.number().integer(),
  prefix: Joi.string(),
  full_every: Joi.number().integer(),
  enabled: Joi.boolean().description('False while it is paused: nothing runs when it is due.'),
  created_at: timestamp(),
  updated_at: timestamp(),
  next_run_at: timestamp().description(
    'When the next run begins: within minutes after the time of the schedule, because many volumes are due at once.',
  ),
  last_run_at: timestamp().allow(null).description('When the last run ended or was skipped.'),
  last_status: Joi.string()
    .valid('ok', 'failed', 'skipped')
    .allow(null)
    .description('`skipped`: the previous run was still going.'),
  last_error: nullableText().description(
    'What went wrong. An `ok` run may have left older backups undeleted.',
  ),
});

export interface StartedRun {
  job_id: string;
  volume_id: string;
  status: 'running';
}

export const startedRunShape = shape<StartedRun>('StartedAutoBackupRun', {
  job_id: Joi.string(),
  volume_id: Joi.string(),
  status: Joi.string().valid('running'),
});
