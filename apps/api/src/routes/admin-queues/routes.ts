import { listOf } from '@gateway/core/shapes';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { getEntries, getEntry, getQueues, pauseOne, resumeOne, runOne } from './handlers.ts';
import { entriesQuery, entryParams, queueParams } from './schemas.ts';
import { entryPageShape, queueEntryShape, queueShape } from './shapes.ts';

export const adminQueueEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/queues',
    tag: adminTags.jobs,
    summary: 'The queues of jobs, their entries by state and their live workers',
    access: 'admin',
    response: listOf(queueShape),
    handler: getQueues,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/queues/:queue/pause',
    tag: adminTags.jobs,
    summary: 'Pause a queue',
    description:
      'Workers take no more entries of it until it is resumed; running jobs continue. Only where `ops.allow_changes` is set.',
    access: 'admin',
    params: queueParams,
    response: queueShape,
    example: () => ({ is_paused: true }),
    rateLimits: ['opsChange'],
    writes: [],
    worksWhileReadOnly: true,
    handler: pauseOne,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/queues/:queue/resume',
    tag: adminTags.jobs,
    summary: 'Let workers take entries of a queue again',
    description: 'Only where `ops.allow_changes` is set.',
    access: 'admin',
    params: queueParams,
    response: queueShape,
    rateLimits: ['opsChange'],
    writes: [],
    worksWhileReadOnly: true,
    handler: resumeOne,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/queues/:queue/entries',
    tag: adminTags.jobs,
    summary: 'The entries of a queue in a state',
    description:
      'Jobs of all projects, and tasks of the gateway. No texts of users: `GET /api/admin/jobs` has the messages of jobs.',
    access: 'admin',
    params: queueParams,
    query: entriesQuery,
    response: entryPageShape,
    handler: getEntries,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/queues/:queue/entries/:entry_id',
    tag: adminTags.jobs,
    summary: 'An entry of a queue, or a job that has failed there',
    access: 'admin',
    params: entryParams,
    response: queueEntryShape,
    handler: getEntry,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/queues/:queue/entries/:entry_id/run',
    tag: adminTags.jobs,
    summary: 'Run a delayed entry of a queue at once',
    description: 'Only where `ops.allow_changes` is set.',
    access: 'admin',
    params: entryParams,
    status: 204,
    rateLimits: ['opsChange'],
    writes: [],
    worksWhileReadOnly: true,
    handler: runOne,
  }),
];
