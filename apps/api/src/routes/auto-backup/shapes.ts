import {
  enumOf,
  flag,
  id,
  integer,
  nonEmptyText,
  oneOf,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';

export const autoBackupShape = shape('AutoBackup', {
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
  last_status: enumOf('AutoBackupLastStatus', ['ok', 'failed', 'skipped'])
    .nullable()
    .describe('`skipped`: the previous run was still going.'),
  last_error: text()
    .nullable()
    .describe('What went wrong. An `ok` run may have left older backups undeleted.'),
});

/** An auto backup as the interface shows it. */
export type PresentedAutoBackup = ShapeType<typeof autoBackupShape>;

export const startedRunShape = shape('StartedAutoBackupRun', {
  job_id: id('job'),
  volume_id: id('volume'),
  status: oneOf(['running']),
});

export type StartedRun = ShapeType<typeof startedRunShape>;
