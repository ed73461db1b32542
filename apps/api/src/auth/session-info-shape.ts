import { flag, integer, type ShapeType, shape, timestamp } from '@gateway/core/shapes';

export const sessionInfoShape = shape('SessionInfo', {
  remaining_seconds: integer(3240).min(0),
  timeout_seconds: integer(3600),
  warning_before_seconds: integer(300),
  expires_at: timestamp('2026-11-22T10:30:00Z'),
  extendable: flag().describe('False if the session ends with its token and is not extended.'),
});

export type SessionInfo = ShapeType<typeof sessionInfoShape>;
