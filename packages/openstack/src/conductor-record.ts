import { flag, integerOrNull, text, textOrNull } from './records/fields.ts';
import { declareRecord, type RecordOf } from './records/record.ts';

/** A process of the container or the container infrastructure service. */
export const conductorRecord = declareRecord(['container', 'containerInfra'], 'service', {
  id: integerOrNull(),
  binary: text(),
  host: text(),
  /** `up` or `down`. */
  state: text('unknown'),
  disabled: flag(false),
  disabled_reason: textOrNull(),
  /** Only in the container service. */
  availability_zone: textOrNull(),
  updated_at: textOrNull(),
});

export type ConductorRecord = RecordOf<typeof conductorRecord>;
