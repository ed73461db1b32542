import { createBullBoard } from '@bull-board/api';
import type { HookContext } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import { queueNames } from '@gateway/jobs';
import { type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import { addLocals } from '../http/response/gateway-response.ts';
import { recordChangeWhenDone } from '../pipeline/record-change.ts';
import { JobQueue } from './job-queue.ts';
import { isRead } from './same-origin.ts';

const BASE_PATH = '/ops/queues';

/** After the board's own style, which they change. */
const ADDITIONS =
  '<link href="/ops/assets/board.css" rel="stylesheet"><script type="module" src="/ops/assets/board.js"></script>';

/** The board can do more, but a job that disappears from its queue would leave its resources behind. */
const CHANGES = new Set([
  'put /api/queues/pause',
  'put /api/queues/resume',
  'put /api/queues/:queueName/pause',
  'put /api/queues/:queueName/resume',
  'put /api/queues/:queueName/:jobId/promote',
]);

/** The board of all queues. Changes leave an audit record. */
export function queueBoard(app: AppContext): RequestHandler {
  const serverAdapter = new LocalExpressAdapter((error) =>
    app.logger.warn('The board of queues could not answer', { error }),
  );
  serverAdapter.setBasePath(BASE_PATH);
  createBullBoard({
    queues: queueNames.map((name) => new JobQueue(app, name)),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Queues',
        hideDocsLink: true,
        hideRedisDetails: true,
        miscLinks: [{ text: 'Overview', url: '/ops' }],
        locale: { lng: 'en-US' },
      },
      handlerHooks: { before: refuseOtherChanges },
    },
  });
  const router = Router();
  router.use(auditChanges(app));
  router.use(serverAdapter.getRouter() as RequestHandler);
  return router;
}

async function refuseOtherChanges({ method, route }: HookContext) {
  if (method === 'get' || CHANGES.has(`${method} ${route}`)) return { allow: true };
  return {
    allow: false,
    status: 403 as const,
    message: 'This would break the guarantees of jobs. Use the api to cancel a job.',
  };
}

function auditChanges({ audit }: AppContext): RequestHandler {
  return (request, response, next) => {
    if (!isRead(request.method)) {
      // `/api/queues/cleanup/pause`, `/api/queues/cleanup/<job>/promote`
      const parts = request.path.split('/').slice(3);
      const path = `${BASE_PATH}/${parts.at(-1)}`;
      addLocals(response, { route: path, resourceId: parts.slice(0, -1).join('/') });
      recordChangeWhenDone(audit, { access: 'admin', method: request.method as 'PUT', path }, response);
    }
    next();
  };
}

/** Without the fonts that the board's page would load from another host, and without the texts of errors. */
class LocalExpressAdapter extends ExpressAdapter {
  readonly #onError: (error: Error) => void;

  constructor(onError: (error: Error) => void) {
    super();
    this.#onError = onError;
  }

  override setErrorHandler(): this {
    return super.setErrorHandler((error) => {
      this.#onError(error);
      return { status: 500, body: { error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' } } };
    });
  }

  override setViewsPath(viewPath: string): ExpressAdapter {
    super.setViewsPath(viewPath);
    const engines = this.app as unknown as { engines: Record<string, Engine> };
    const render = engines.engines['.ejs'];
    if (render === undefined) throw new Error('The board has no engine for its page.');
    this.app.engine('ejs', (path, options, callback) =>
      render(path, options, (error, html) =>
        callback(
          error,
          html?.replace(/<link href="https:[^<>]*>/g, '').replace('</head>', `${ADDITIONS}</head>`),
        ),
      ),
    );
    return this;
  }
}

type Engine = (path: string, options: object, callback: (error: unknown, html?: string) => void) => void;
