import { flag, id, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

export const ownSessionShape = shape('OwnSession', {
  id: id('own_session').describe('Not a secret: nobody can log in with it.'),
  started_at: timestamp().describe('When the user logged in.'),
  last_seen_at: timestamp().describe('Of the last request, to a minute.'),
  expires_at: timestamp('2026-11-22T10:30:00Z').describe('When the session ends, unless it is extended.'),
  address: text('10.0.0.11').describe('The address of that request.'),
  client: text('Mozilla/5.0 (X11; Linux x86_64)').describe(
    'What the client of that request calls itself (User-Agent), shortened.',
  ),
  application_credential_id: id('application_credential')
    .nullable()
    .describe('The application credential with which a program has logged in; null for a person.'),
  is_current: flag().describe('Whether this request belongs to it.'),
});

/** A session of the caller. */
export type OwnSession = ShapeType<typeof ownSessionShape>;
