import { pauseQueue, resumeQueue } from '@gateway/jobs';
import type { QueueName } from '@gateway/platform';
import { type RequestHandler, Router } from 'express';
import Joi from 'joi';
import type { AppContext } from '../context.ts';
import { validateInput } from '../http/request/validate.ts';
import { addLocals } from '../http/response/gateway-response.ts';
import { recordChangeWhenDone } from '../pipeline/record-change.ts';
import { namedRoute } from './named-route.ts';
import { listJobs, listQueues, promoteJob, queueNamed, type ShownState, showJob } from './queues.ts';

const MAX_PAGE = 100_000;

type QueueParams = { queue: string };
type JobParams = { queue: string; id: string };

interface JobsQuery {
  state: ShownState;
  page: number;
}

const jobsQuery = Joi.object<JobsQuery, true>({
  state: Joi.string().valid('active', 'waiting', 'delayed', 'failed').default('active'),
  page: Joi.number().integer().min(1).max(MAX_PAGE).default(1),
});

/** What the page of queues shows, as JSON. */
export function queueData(app: AppContext): RequestHandler {
  const router = Router({ caseSensitive: true });
  router.get('/', namedRoute('/ops/data/queues'), async (_request, response) => {
    response.json(await listQueues(app));
  });
  router.get<QueueParams>(
    '/:queue',
    namedRoute('/ops/data/queues/:queue'),
    async ({ params, query }, response) => {
      const queue = queueNamed(params.queue);
      const { page, state } = validateInput({ query: jobsQuery }, { query }).query as JobsQuery;
      response.json(await listJobs(app, queue, state, page));
    },
  );
  router.get<JobParams>(
    '/:queue/jobs/:id',
    namedRoute('/ops/data/queues/:queue/jobs/:id'),
    async ({ params }, response) => {
      response.json(await showJob(app, queueNamed(params.queue), params.id));
    },
  );
  return router;
}

/**
 * The changes that keep the guarantees of jobs, each with an audit record. No change removes a job from its
 * queue: its resources would be left behind.
 */
export function queueChanges(app: AppContext): RequestHandler {
  const router = Router({ caseSensitive: true });
  const change = (declared: string, apply: (queue: QueueName, id: string) => Promise<void>) => {
    // Named by the change alone: `/ops/queues/pause`.
    const path = `/ops/queues/${declared.split('/').at(-1)}`;
    router.put<QueueParams & Partial<JobParams>>(declared, async ({ params }, response) => {
      addLocals(response, { route: path, resourceId: Object.values(params).join('/') });
      recordChangeWhenDone(app.audit, { access: 'admin', method: 'PUT', path }, response);
      await apply(queueNamed(params.queue), params.id ?? '');
      response.json({});
    });
  };
  change('/:queue/pause', (queue) => pauseQueue(app.queues, queue));
  change('/:queue/resume', (queue) => resumeQueue(app.queues, queue));
  change('/:queue/jobs/:id/promote', (queue, id) => promoteJob(app, queue, id));
  return router;
}
