import { z } from 'zod';
import { integerOr, key, mapOrNull, text, textOrNull } from '../records/fields.ts';

/** The common fields of snapshots and backups. */
export const volumeCopyFields = {
  id: key(),
  status: text('unknown'),
  /** The volume's size in GiB. */
  size: integerOr(0),
  name: text(),
  description: text(),
  volume_id: text(),
  created_at: text(),
  updated_at: textOrNull(),
  /** Null if the service does not say it: then the copy may have any mark. */
  metadata: mapOrNull(z.string()),
};

export type VolumeCopyRecord = {
  [Field in keyof typeof volumeCopyFields]: z.output<(typeof volumeCopyFields)[Field]>;
};

export interface VolumeCopyCreate {
  volume_id: string;
  name?: string;
  description?: string;
  /** Required for a volume that is in use. */
  force?: boolean;
  metadata?: Record<string, string>;
}
