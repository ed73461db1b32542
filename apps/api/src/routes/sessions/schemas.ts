import Joi from 'joi';
import { pathIds, shape, text, timestamp } from '../../http/schemas/fields.ts';

export interface SessionParams {
  session_id: string;
}

export const sessionParams = pathIds('session_id');

/** A session of the caller. */
export interface OwnSession {
  id: string;
  started_at: string;
  last_seen_at: string;
  expires_at: string;
  address: string;
  client: string;
  application_credential_id: string | null;
  is_current: boolean;
}

export const ownSessionShape = shape<OwnSession>('OwnSession', {
  id: Joi.string().description('Not a secret: nobody can log in with it.'),
  started_at: timestamp().description('When the user logged in.'),
  last_seen_at: timestamp().description('Of the last request, to a minute.'),
  expires_at: timestamp().description('When the session ends, unless it is extended.'),
  address: text().description('The address of that request.'),
  client: text().description('What the client of that request calls itself (User-Agent), shortened.'),
  application_credential_id: Joi.string()
    .allow(null)
    .description('The application credential with which a program has logged in; null for a person.'),
  is_current: Joi.boolean().description('Whether this request belongs to it.'),
});
