import Joi from 'joi';
import { endpoint } from '../../pipeline/endpoint.ts';
import { currentUser, extendSession, login, logout, projects, sessionInfo, switchScope } from './handlers.ts';
import {
  currentUserShape,
  loginBody,
  projectShape,
  scopeBody,
  sessionInfoShape,
  tokenShape,
} from './schemas.ts';

const tag = { name: 'auth', description: 'Log-in, scope and session' };

export const authEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/auth/login',
    tag,
    summary: 'Log in',
    description: "Gives a token for the named project, else the user's default one, and begins a session.",
    access: 'public',
    body: loginBody,
    response: tokenShape,
    rateLimits: ['login', 'loginFailures', 'loginFailuresByName'],
    secret: true,
    ignoresIdempotencyKey: true,
    errors: [401, 403, 502, 503, 504],
    handler: login,
  }),
  endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    tag,
    summary: 'Log out',
    description:
      'Revokes the token and the others that were given out in its session, and ends the session. No token that was ' +
      'made from one of them is accepted any more.',
    access: 'token',
    status: 204,
    handler: logout,
  }),
  endpoint({
    method: 'GET',
    path: '/api/auth/me',
    tag,
    summary: 'Who am I',
    access: 'token',
    response: currentUserShape,
    handler: currentUser,
  }),
  endpoint({
    method: 'GET',
    path: '/api/auth/projects',
    tag,
    summary: 'Projects I can work in',
    access: 'token',
    response: Joi.array().items(projectShape),
    handler: projects,
  }),
  endpoint({
    method: 'POST',
    path: '/api/auth/token',
    tag,
    summary: 'Switch to another project',
    description: 'Gives a token for the project. The session stays the one of the log-in.',
    access: 'token',
    body: scopeBody,
    response: tokenShape,
    rateLimits: ['scopeSwitch'],
    secret: true,
    ignoresIdempotencyKey: true,
    handler: switchScope,
  }),
  endpoint({
    method: 'GET',
    path: '/api/auth/session-info',
    tag,
    summary: 'How long the session still lasts',
    access: 'token',
    response: sessionInfoShape,
    handler: sessionInfo,
  }),
  endpoint({
    method: 'POST',
    path: '/api/auth/extend-session',
    tag,
    summary: 'Start the time of the session anew',
    access: 'token',
    response: sessionInfoShape,
    handler: extendSession,
  }),
];
