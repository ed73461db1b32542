import { fileURLToPath } from 'node:url';
import { forbidden, GatewayError, invalidInput, routeNotFound } from '@gateway/core';
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import { sendError } from '../http/response/error-handler.ts';
import { addLocals, requestIdOf } from '../http/response/gateway-response.ts';
import { operatorPageHeaders } from '../http/response/headers.ts';
import { mountEndpoints } from '../pipeline/mount.ts';
import { adminLeftoverEndpoints } from '../routes/admin-leftovers/routes.ts';
import { adminProjectEndpoints } from '../routes/admin-projects/routes.ts';
import { adminTimeSeriesEndpoints } from '../routes/admin-time-series/routes.ts';
import { queueBoard } from './board.ts';
import { listFailures, listOpenJobs } from './jobs.ts';
import { postLogIn, postLogOut, readForm, showLogIn } from './log-in.ts';
import { operatorOf, requireOperator } from './operator.ts';
import { OperatorSessions } from './operator-sessions.ts';
import { overviewPage } from './pages.ts';
import { isRead, requireSameOrigin } from './same-origin.ts';

/** The files that the pages load, by name. */
const ASSETS: Record<string, string> = {
  'ops.css': import.meta.resolve('./assets/ops.css'),
  'board.css': import.meta.resolve('./assets/board.css'),
  'board.js': import.meta.resolve('./assets/board.js'),
  'overview.js': import.meta.resolve('./assets/overview.js'),
  'uplot.js': import.meta.resolve('uplot/dist/uPlot.esm.js'),
  'uplot.css': import.meta.resolve('uplot/dist/uPlot.min.css'),
};

/**
 * The operators' page: its own pages, the board of queues, and the endpoints of the api that the pages call with the operator's
 * credentials. Everything but the log-in and the files needs a session, and every change comes from the page itself.
 */
export function operatorsPage(app: AppContext): RequestHandler {
  const { allowChanges } = app.config.ops;
  const sessions = new OperatorSessions(app.redis.store, app.sealer);
  const router = Router({ caseSensitive: true });

  router.use(named('/ops'), operatorPageHeaders({ inlineStyles: false }), noStore);
  router.use(requireSameOrigin(app.config.http.publicUrl));
  router.get('/assets/:name', sendAsset);
  router.get('/login', named('/ops/login'), showLogIn(app));
  router.post('/login', readForm, postLogIn(app, sessions));

  router.use(requireOperator(app, sessions));
  router.post('/logout', postLogOut(app, sessions));
  router.use(allowChanges ? limitChanges(app) : refuseChanges);
  router.get('/', (request, response) => {
    const { userName } = operatorOf(request).caller.identity;
    response
      .type('html')
      .send(overviewPage({ userName, site: app.config.site.name, allowsChanges: allowChanges }));
  });
  router.get('/data/jobs', named('/ops/data/jobs'), async (_request, response) => {
    response.json(await listOpenJobs(app));
  });
  router.get('/data/failures', named('/ops/data/failures'), async (_request, response) => {
    response.json(await listFailures(app));
  });
  router.use('/queues', named('/ops/queues'), operatorPageHeaders({ inlineStyles: true }), queueBoard(app));
  router.use('/api', passCredentials);
  const projectNames = adminProjectEndpoints.filter(({ path }) => path === '/api/admin/projects/names');
  mountEndpoints(router, app, [...adminLeftoverEndpoints, ...adminTimeSeriesEndpoints, ...projectNames]);
  router.use(() => {
    throw routeNotFound('There is nothing at this address.');
  });
  router.use(handleErrors(app));
  return router;
}

/** The name of the route in logs and metrics. */
function named(route: string): RequestHandler {
  return (request, response, next) => {
    addLocals(response, { route, address: request.ip });
    next();
  };
}

const noStore: RequestHandler = (request, response, next) => {
  const isFile = request.path.startsWith('/assets/') || request.path.startsWith('/queues/static/');
  response.set('Cache-Control', isFile ? 'private, no-cache' : 'no-store');
  next();
};

const sendAsset: RequestHandler<{ name: string }> = ({ params }, response) => {
  const url = Object.hasOwn(ASSETS, params.name) ? ASSETS[params.name] : undefined;
  if (url === undefined) throw routeNotFound('There is nothing at this address.');
  addLocals(response, { route: '/ops/assets' });
  response.sendFile(fileURLToPath(url), { cacheControl: false, dotfiles: 'allow' });
};

const refuseChanges: RequestHandler = ({ method }, _response, next) => {
  if (isRead(method)) return next();
  throw forbidden('This page is read-only here.');
};

function limitChanges({ rateLimits }: AppContext): RequestHandler {
  return async (request, response, next) => {
    if (!isRead(request.method)) {
      await rateLimits.consume('opsChange', request, response, operatorOf(request).caller);
    }
    next();
  };
}

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
