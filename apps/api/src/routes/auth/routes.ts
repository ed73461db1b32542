import { listOf } from '@gateway/core/shapes';
import { projectShape } from '@gateway/resources/shapes';
import { sessionInfoShape } from '../../auth/session-info-shape.ts';

import { endpoint } from '../../pipeline/endpoint.ts';
import { messageShape } from '../profile/schemas.ts';
import {
  changePassword,
  currentUser,
  extendSession,
  login,
  logout,
  projects,
  sessionInfo,
  switchScope,
} from './handlers.ts';
import { expiredPasswordBody, loginBody, scopeBody } from './schemas.ts';
import { currentUserShape, tokenShape } from './user-in-project.ts';

export const authTag = { name: 'auth', description: 'Log-in, scope and session' };

export const authEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/auth/login',
    tag: authTag,
    summary: 'Log in',
    description:
      "Issues a token for the named project, or else the user's default project, and starts a session. A user who needs " +
      'a one-time passcode gets 401 `totp_required` with a receipt; a second request with `receipt` and `passcode` ' +
      'completes the log-in. A program logs in with the id and secret of an application credential.',
    writes: 'session',
    access: 'public',
    body: loginBody,
    response: tokenShape,
    rateLimits: [
      'login',
      'loginFailuresByAddress',
      'loginFailures',
      'loginFailuresByName',
      'passcodeFailures',
    ],
    secret: true,
    ignoresIdempotencyKey: true,
    errors: [
      'unauthorized',
      'totp_required',
      'wrong_passcode',
      'invalid_receipt',
      'password_expired',
      'auth_method_unsupported',
      'forbidden',
      'no_project',
      'conflict',
      'upstream_error',
      'upstream_unavailable',
      'upstream_busy',
      'store_unavailable',
      'upstream_timeout',
    ],
    handler: login,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/auth/expired-password',
    tag: authTag,
    summary: 'Change an expired password',
    description:
      'For a user whose log-in is 401 `password_expired`. Issues no token: the client logs in with the new password. ' +
      'Refused passwords count as failed log-ins.',
    writes: 'session',
    access: 'public',
    body: expiredPasswordBody,
    response: messageShape,
    rateLimits: ['login', 'loginFailuresByAddress', 'loginFailures', 'loginFailuresByName'],
    errors: [
      'unauthorized',
      'forbidden',
      'conflict',
      'upstream_error',
      'upstream_unavailable',
      'upstream_busy',
      'upstream_timeout',
    ],
    handler: changePassword,
  }),
  endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    tag: authTag,
    summary: 'Log out',
    description:
      'Revokes the token and all others that were issued in its session, and ends the session. Tokens that were made ' +
      'from any of them are no longer accepted.',
    writes: 'session',
    access: 'token',
    status: 204,
    handler: logout,
  }),
  endpoint({
    method: 'GET',
    path: '/api/auth/me',
    tag: authTag,
    summary: 'Who am I',
    access: 'token',
    response: currentUserShape,
    handler: currentUser,
  }),
  endpoint({
    method: 'GET',
    path: '/api/auth/projects',
    tag: authTag,
    summary: 'Projects I can work in',
    description:
      'What a person can choose from after a log-in without a project; `POST /api/auth/token` switches to the choice. ' +
      'Projects of two domains may have the same name.',
    access: 'token',
    response: listOf(projectShape),
    handler: projects,
  }),
  endpoint({
    method: 'POST',
    path: '/api/auth/token',
    tag: authTag,
    summary: 'Switch to another project',
    description: 'Issues a token for the project. The session stays the same.',
    writes: 'session',
    access: 'token',
    body: scopeBody,
    response: tokenShape,
    rateLimits: ['scopeSwitch'],
    secret: true,
    errors: ['conflict'],
    handler: switchScope,
  }),
  endpoint({
    method: 'GET',
    path: '/api/auth/session-info',
    tag: authTag,
    summary: 'Remaining time of the session',
    access: 'token',
    response: sessionInfoShape,
    handler: sessionInfo,
  }),
  endpoint({
    method: 'POST',
    path: '/api/auth/extend-session',
    tag: authTag,
    summary: 'Restart the time of the session',
    description: 'Changes nothing for the session of an application credential, which ends with its token.',
    access: 'token',
    writes: [],
    worksWhileReadOnly: true,
    response: sessionInfoShape,
    handler: extendSession,
  }),
];
