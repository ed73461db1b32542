import { listOf } from '@gateway/core/shapes';
import { endpoint } from '../../pipeline/endpoint.ts';
import { endOtherSessions, endOwnSession, listSessions } from './handlers.ts';
import { sessionParams } from './schemas.ts';
import { ownSessionShape } from './shapes.ts';

const tag = { name: 'sessions', description: "The caller's own sessions" };

export const sessionEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    tag,
    summary: 'My sessions',
    description:
      'The sessions that the caller has begun with a log-in here, the last used first. ' +
      'A token that was issued elsewhere has a session too, which is not listed.',
    access: 'token',
    response: listOf(ownSessionShape),
    errors: ['forbidden', 'store_unavailable'],
    handler: listSessions,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions',
    tag,
    summary: 'End all my other sessions',
    description: 'Logs the caller out everywhere else, as each of these sessions would by a log-out.',
    writes: 'session',
    access: 'token',
    status: 204,
    errors: ['forbidden', 'store_unavailable'],
    handler: endOtherSessions,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:session_id',
    tag,
    summary: 'End one of my sessions',
    description:
      'Revokes all tokens of the session, as a log-out does. Accepted jobs continue. ' +
      'With the id of the current session, this is a log-out.',
    writes: 'session',
    access: 'token',
    params: sessionParams,
    status: 204,
    errors: ['forbidden', 'not_found', 'store_unavailable'],
    handler: endOwnSession,
  }),
];
