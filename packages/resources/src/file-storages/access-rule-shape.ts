import { enumOf, id, nonEmptyText, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

export const accessRuleShape = shape('AccessRule', {
  id: id('access_rule'),
  access_type: nonEmptyText('nativeauth').describe('`nativeauth`, `ip`, or the name of another type.'),
  access_to: text('web-1'),
  access_level: enumOf('AccessLevel', ['ro', 'rw'], 'rw'),
  state: nonEmptyText('active').describe(
    '`queued_to_apply`, `applying`, `active`, `error`, `queued_to_deny` or `denying`.',
  ),
  access_key: text('AQDkVmZpJ0bQAxAAq3rU5w8yT1n6cK7vLx2ePg==')
    .nullable()
    .describe(
      'The secret key of the client name. Null until the service has it, for `ip`, and for rules of instances.',
    ),
  created_at: timestamp().nullable(),
});

export type AccessRule = ShapeType<typeof accessRuleShape>;
