import { fileURLToPath } from 'node:url';
import { forbidden, GatewayError, invalidInput, routeNotFound } from '@gateway/core';
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import { isRead } from '../http/request/same-origin.ts';
import { sendError } from '../http/response/error-handler.ts';
import { addLocals, requestIdOf } from '../http/response/gateway-response.ts';
import { operatorPageHeaders } from '../http/response/headers.ts';
import { mountEndpoints } from '../pipeline/mount-endpoints.ts';
import { adminJobEndpoints } from '../routes/admin-jobs/routes.ts';
import { adminLeftoverEndpoints } from '../routes/admin-leftovers/routes.ts';
import { adminQueueEndpoints } from '../routes/admin-queues/routes.ts';
import { adminTimeSeriesEndpoints } from '../routes/admin-time-series/routes.ts';
import { sessionEndpoints } from '../routes/sessions/routes.ts';
import { postExpiredPassword, postLogIn, postLogOut, readForm, showLogIn } from './log-in.ts';
import { namedRoute } from './named-route.ts';
import { operatorOf, requireOperator } from './operator.ts';
import { OperatorSessions } from './operator-sessions.ts';
import { jobsPage, overviewPage, type PageOfOperator, queuesPage, sessionsPage } from './pages.ts';
import { requireSameOrigin } from './same-origin.ts';
import { sendHtml } from './send-html.ts';
import { beginOperatorSignOn, postOperatorSignOn, showOperatorSignOn } from './sign-on.ts';

/** The files that the pages load, by name. */
const ASSETS: Record<string, string> = {
  'ops.css': import.meta.resolve('./assets/ops.css'),
  'page.js': import.meta.resolve('./assets/page.js'),
  'sign-on.js': import.meta.resolve('./assets/sign-on.js'),
  'jobs.js': import.meta.resolve('./assets/jobs.js'),
  'queues.js': import.meta.resolve('./assets/queues.js'),
  'sessions.js': import.meta.resolve('./assets/sessions.js'),
  'overview.js': import.meta.resolve('./assets/overview.js'),
  'uplot.js': import.meta.resolve('uplot/dist/uPlot.esm.js'),
  'uplot.css': import.meta.resolve('uplot/dist/uPlot.min.css'),
};

/**
 * The operators' page: its own pages, and the endpoints of the api that the pages call with the operator's
 * credentials. Everything but the log-in and the files needs a session, and every change comes
 * from the page itself.
 */
export function operatorsPage(app: AppContext): RequestHandler {
  const { allowChanges } = app.config.ops;
  const sessions = new OperatorSessions(app.redis.store, app.sealer);
  const router = Router({ caseSensitive: true });

  router.use(namedRoute('/ops'), operatorPageHeaders(), noStore);
  router.use(requireSameOrigin(app.config.publicEndpoint.url));
  router.get('/assets/:name', sendAsset);
  router.get('/login', namedRoute('/ops/login'), showLogIn(app));
  router.post('/login', readForm, postLogIn(app, sessions));
  router.post('/expired-password', readForm, postExpiredPassword(app));
  router.get('/sso', namedRoute('/ops/sso'), showOperatorSignOn(app));
  router.post('/sso', readForm, postOperatorSignOn(app, sessions));
  router.get('/sso/:provider', namedRoute('/ops/sso/:provider'), beginOperatorSignOn(app));

  router.use(requireOperator(app, sessions));
  router.post('/logout', postLogOut(app, sessions));
  // The end of an own session is a log-out, which a read-only page has as well.
  router.use('/api', passCredentials);
  mountEndpoints(router, app, sessionEndpoints);
  if (!allowChanges) router.use(refuseChanges);
  router.get('/', sendPage(app, overviewPage));
  router.get('/sessions', namedRoute('/ops/sessions'), sendPage(app, sessionsPage));
  router.get('/jobs', namedRoute('/ops/jobs'), sendPage(app, jobsPage));
  router.get('/queues', namedRoute('/ops/queues'), sendPage(app, queuesPage));
  mountEndpoints(router, app, [
    ...adminJobEndpoints,
    ...adminQueueEndpoints,
    ...adminLeftoverEndpoints,
    ...adminTimeSeriesEndpoints,
  ]);
  router.use(() => {
    throw routeNotFound('There is nothing at this address.');
  });
  router.use(handleErrors(app));
  return router;
}

const noStore: RequestHandler = (request, response, next) => {
  response.set('Cache-Control', request.path.startsWith('/assets/') ? 'private, no-cache' : 'no-store');
  next();
};

const sendAsset: RequestHandler<{ name: string }> = ({ params }, response) => {
  const url = Object.hasOwn(ASSETS, params.name) ? ASSETS[params.name] : undefined;
  if (url === undefined) throw routeNotFound('There is nothing at this address.');
  addLocals(response, { route: '/ops/assets' });
  response.sendFile(fileURLToPath(url), { cacheControl: false, dotfiles: 'allow' });
};

function sendPage(app: AppContext, render: (page: PageOfOperator) => string): RequestHandler {
  const { config } = app;
  const shared = { site: config.site.name, allowsChanges: config.ops.allowChanges };
  return (request, response) => {
    const { userName } = operatorOf(request).caller.identity;
    sendHtml(app, response, render({ ...shared, userName }));
  };
}

const refuseChanges: RequestHandler = ({ method }, _response, next) => {
  if (isRead(method)) return next();
  throw forbidden('This page is read-only here.');
};

/** The endpoints of the api authenticate the operator by the headers of any client. */
const passCredentials: RequestHandler = (request, _response, next) => {
  const { projectId, token } = operatorOf(request).credentials;
  Object.assign(request.headers, { 'x-auth-token': token, 'x-project-id': projectId });
  next();
};

function handleErrors({ logger }: AppContext): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const { status } = error as { status?: number };
    const isMalformed = !(error instanceof GatewayError) && status !== undefined && status < 500;
    const thrown = isMalformed ? invalidInput('The request is malformed.', { cause: error }) : error;
    sendError(response, thrown, requestIdOf(response), logger);
  };
}
