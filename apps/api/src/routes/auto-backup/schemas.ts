import { MAX_SCHEDULE_LENGTH } from '@gateway/auto-backup';
import { flag, id, integer, nonEmptyText, oneOf, shapeLike, text, timestamp } from '@gateway/core/shapes';
import Joi from 'joi';
import { pathIds } from '../../http/schemas/fields.ts';
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

export const autoBackupShape = shapeLike<PresentedAutoBackup>('AutoBackup', {
  id: id('auto_backup'),
  volume_id: id('volume'),
  volume_name: text('data').nullable(),
  project_id: id('project'),
  project_name: text('demo').nullable(),
  schedule: nonEmptyText('30 3 * * *'),
  retention: integer(7),
  prefix: nonEmptyText('auto'),
  full_every: integer(),
  enabled: flag().describe('False while it is paused: nothing runs when it is due.'),
  created_at: timestamp(),
  updated_at: timestamp(),
  next_run_at: timestamp('2026-11-23T03:30:00Z').describe(
    'When the next run begins: within minutes after the time of the schedule, because many volumes are due at once.',
  ),
  last_run_at: timestamp('2026-11-22T03:30:00Z')
    .nullable()
    .describe('When the last run ended or was skipped.'),
  last_status: oneOf(['ok', 'failed', 'skipped'])
    .nullable()
    .describe('`skipped`: the previous run was still going.'),
  last_error: text()
    .nullable()
    .describe('What went wrong. An `ok` run may have left older backups undeleted.'),
});

export interface StartedRun {
  job_id: string;
  volume_id: string;
  status: 'running';
}

export const startedRunShape = shapeLike<StartedRun>('StartedAutoBackupRun', {
  job_id: id('job'),
  volume_id: id('volume'),
  status: oneOf(['running']),
});
