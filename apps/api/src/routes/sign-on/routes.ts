import { listOf, nonEmptyText, shape } from '@gateway/core/shapes';
import { CALLBACK_PATH } from '../../auth/sign-on.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { authTag } from '../auth/routes.ts';
import { tokenShape } from '../auth/user-in-project.ts';
import { begin, exchange, providers, receive } from './handlers.ts';
import { exchangeBody, providerParams, signOnForm, signOnQuery } from './schemas.ts';

/** A way to log in without a password of the cloud. */
const providerShape = shape('SignOnProvider', {
  id: nonEmptyText('company').describe('For `GET /api/auth/sso/{provider}`.'),
  name: nonEmptyText('Company account').describe('To show to users.'),
});

export const signOnEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/auth/providers',
    tag: authTag,
    summary: 'Single sign-on that this site offers',
    access: 'public',
    response: listOf(providerShape),
    handler: providers,
  }),
  endpoint({
    method: 'POST',
    path: CALLBACK_PATH,
    tag: authTag,
    summary: 'Return from a single sign-on',
    description:
      'For the form of the identity service only. Sends the browser back to the page that began, with a code in the ' +
      'fragment of the address.',
    access: 'public',
    writes: [],
    status: 303,
    body: signOnForm,
    takesForm: true,
    rateLimits: ['login', 'loginFailuresByAddress'],
    ignoresIdempotencyKey: true,
    errors: ['invalid_sign_on', 'store_unavailable'],
    handler: receive,
  }),
  endpoint({
    method: 'GET',
    path: '/api/auth/sso/:provider',
    tag: authTag,
    summary: 'Begin a single sign-on',
    description:
      'An address for browsers, not for scripts: it leads to the log-in of the provider, and from there back to the ' +
      'page with this origin.',
    access: 'public',
    params: providerParams,
    query: signOnQuery,
    status: 303,
    handler: begin,
  }),
  endpoint({
    method: 'POST',
    path: '/api/auth/exchange',
    tag: authTag,
    summary: 'Complete a single sign-on',
    description:
      'Issues a token for the first project of the user, and starts a session. A code is good for 30 seconds and for one ' +
      'request from the page that began.',
    writes: 'session',
    access: 'public',
    body: exchangeBody,
    response: tokenShape,
    rateLimits: ['login', 'loginFailuresByAddress'],
    secret: true,
    ignoresIdempotencyKey: true,
    errors: [
      'invalid_sign_on',
      'unauthorized',
      'forbidden',
      'no_project',
      'conflict',
      'upstream_error',
      'upstream_unavailable',
      'upstream_busy',
      'store_unavailable',
      'upstream_timeout',
    ],
    handler: exchange,
  }),
];
