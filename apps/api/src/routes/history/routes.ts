import type { HistoryOutcome } from '@gateway/jobs';
import Joi from 'joi';
import {
  chosenIdField,
  idField,
  listOf,
  namesBeside,
  nullableText,
  shape,
  timestamp,
} from '../../http/schemas/fields.ts';
import { pageQuery, pageShape } from '../../http/schemas/page.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { getHistory, type HistoryQuery, type PresentedEntry } from './handlers.ts';

const tag = { name: 'history', description: 'Who has changed what in a project' };
const outcomes: HistoryOutcome[] = ['accepted', 'completed', 'failed', 'cancelled', 'unknown'];

const historyEntryShape = shape<PresentedEntry>(
  'HistoryEntry',
  {
    id: Joi.string(),
    timestamp: timestamp(),
    user_id: Joi.string().description('Who has done it.'),
    user_name: nullableText().description('Null for a job that the gateway has started.'),
    method: nullableText().description('Null for a job without a request.'),
    route: nullableText().description('As it is declared, with the names of the ids.'),
    status: Joi.number()
      .integer()
      .allow(null)
      .description('The status of the response; 499 if the client did not wait for it.'),
    outcome: Joi.string()
      .valid(...outcomes)
      .description(
        'How it ended. `accepted`: a job continues. `unknown`: the client did not wait for the response.',
      ),
    code: nullableText().description('The kind of failure; null if there is none.'),
    error: nullableText().description('Why the job failed.'),
    resource_type: nullableText().description('Of what a job creates or changes.'),
    resource_name: nullableText(),
    resource_ids: listOf(Joi.string()).description(
      'The ids in the path, and those of what was created or changed; a key pair has its name.',
    ),
    resource_names: namesBeside().description(
      'In the order of the ids, as they are now; of what is gone, as the history has last named it, or null.',
    ),
    job_id: nullableText().description('Null without a job.'),
    job_type: nullableText().description('Null without a job, and until it has ended.'),
    ended_at: timestamp().allow(null).description('When the job ended.'),
    request_id: Joi.string(),
  },
  () => ({
    method: 'POST',
    route: '/api/instances/async',
    status: 200,
    outcome: 'completed',
    code: null,
    resource_type: 'instance',
    resource_name: 'web-1',
    job_type: 'instance.create',
  }),
);

export const historyEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/history',
    tag,
    summary: 'Who has changed what in the project, and how it ended, newest first',
    description: [
      'One entry for each write that was accepted or refused, also those of administrators that name the project, and for each',
      'job. A request and the job that it has started are one entry. Entries hold no bodies. Their number and age are limited.',
    ].join(' '),
    access: 'project',
    query: Joi.object<HistoryQuery>({
      ...pageQuery,
      resource_id: Joi.string()
        .max(255)
        .description('Only what names this resource in its path, or has created or changed it.'),
      job_id: idField().description('Only the request that has started this job, and those to cancel it.'),
      user_id: chosenIdField().description('Only what this user has done.'),
      outcome: Joi.string().valid(...outcomes),
      project_id: idField().description('The history of another project, for administrators.'),
    }),
    response: pageShape('HistoryPage', historyEntryShape),
    errors: ['forbidden'],
    handler: getHistory,
  }),
];
