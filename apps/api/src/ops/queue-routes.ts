import { isId, notFound } from '@gateway/core';
import { type ProgressMessage, pauseQueue, queueNames, readEvents, resumeQueue } from '@gateway/jobs';
import type { QueueName } from '@gateway/platform';
import { type RequestHandler, Router } from 'express';
import Joi from 'joi';
import type { AppContext } from '../context.ts';
import { validateInput } from '../http/request/validate.ts';
import { addLocals } from '../http/response/gateway-response.ts';
import { recordChangeWhenDone } from '../pipeline/record-change.ts';
import type { ShownState } from '../routes/admin-queues/present.ts';
import { listEntries, listQueues, readEntry, readQueue, runEntry } from '../routes/admin-queues/queues.ts';
import { namedRoute } from './named-route.ts';

const MAX_PAGE = 100_000;
const PAGE_SIZE = 25;
const MAX_STEPS = 1000;

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
    response.json({ items: await listQueues(app) });
  });
  router.get<QueueParams>(
    '/:queue',
    namedRoute('/ops/data/queues/:queue'),
    async ({ params, query }, response) => {
      const queue = queueNamed(params.queue);
      const { page, state } = validateInput({ query: jobsQuery }, { query }).query as JobsQuery;
      const start = (page - 1) * PAGE_SIZE;
      const items = await listEntries(app, queue, { state, start, count: PAGE_SIZE });
      const { counts } = await readQueue(app, queue);
      response.json({ items, total: counts[state], page, page_size: PAGE_SIZE });
    },
  );
  router.get<JobParams>(
    '/:queue/jobs/:id',
    namedRoute('/ops/data/queues/:queue/jobs/:id'),
    async ({ params }, response) => {
      const entry = await readEntry(app, queueNamed(params.queue), params.id);
      response.json({ ...entry, steps: await readSteps(app, params.id) });
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
  change('/:queue/jobs/:id/promote', (queue, id) => runEntry(app, queue, id));
  return router;
}

/** Without their texts. */
async function readSteps({ redis }: AppContext, id: string) {
  const events = isId(id) ? await readEvents(redis.store, id, 0, MAX_STEPS) : [];
  return events.map(({ data, seq }) => {
    const { progress, step } = JSON.parse(data) as ProgressMessage;
    return { seq, step, progress: progress < 0 ? null : progress };
  });
}

function queueNamed(name: string): QueueName {
  const found = queueNames.find((each) => each === name);
  if (found === undefined) throw notFound('There is no queue of this name.');
  return found;
}
