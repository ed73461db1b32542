import { text, textOrNull } from './fields.ts';

/** The fields of a process of the compute, block storage or shared file system service. */
export const processFields = {
  binary: text(),
  host: text(),
  zone: text(),
  /** `enabled` or `disabled`. */
  status: text('unknown'),
  /** `up` or `down`. */
  state: text('unknown'),
  updated_at: textOrNull(),
  disabled_reason: textOrNull(),
};
