import { flag, type ShapeType, shape, timestamp } from '@gateway/core/shapes';
import { autoBackupShape } from '../auto-backup/shapes.ts';

export const adminAutoBackupShape = shape('AdminAutoBackup', {
  ...autoBackupShape.shape,
  last_ok_at: timestamp('2026-11-22T03:30:00Z')
    .nullable()
    .describe('When a run last ended well; null if none has.'),
  is_overdue: flag(false).describe('Whether a run has not begun an hour after it should have.'),
  needs_attention: flag(false).describe('Whether the last run failed, or one is overdue.'),
});

export type AdminAutoBackup = ShapeType<typeof adminAutoBackupShape>;
