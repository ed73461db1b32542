import { MAX_SCHEDULE_LENGTH } from '@gateway/auto-backup';
import Joi from 'joi';
import { pathIds } from '../../http/schemas/fields.ts';

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
