import { flag, idOrEmpty, part, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

/** Of examples. */
export const REASON = 'The storage of the cloud is replaced.';

export const readOnlyModeShape = shape('ReadOnlyMode', {
  is_read_only: flag(true),
  reason: text(REASON).nullable().describe('What users see in refusals and banners; null without one.'),
  since: timestamp().nullable(),
  until: timestamp().nullable().describe('When the mode ends by itself; null if an administrator ends it.'),
  user_id: idOrEmpty('user').nullable().describe('Who began the mode, or changed it last.'),
  user_name: text('admin').nullable(),
});

export type ShownReadOnlyMode = ShapeType<typeof readOnlyModeShape>;

/** What everybody may know of it. */
export const maintenanceShape = part({
  reason: text(REASON).nullable(),
  since: timestamp(),
  until: timestamp().nullable().describe('The planned end, if it is known.'),
});
