import Joi from 'joi';
import { chosenIdField, idField } from '../../http/schemas/fields.ts';
import { pageQuery, pageShape } from '../../http/schemas/page.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { getHistory, type HistoryQuery } from './handlers.ts';
import { historyEntryShape, outcomes } from './shapes.ts';

const tag = { name: 'history', description: 'Who has changed what in a project' };

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
      outcome: Joi.string()
        .valid(...outcomes)
        .meta({ name: 'HistoryOutcome' }),
      project_id: idField().description('The history of another project, for administrators.'),
    }),
    response: pageShape('HistoryPage', historyEntryShape),
    errors: ['forbidden'],
    handler: getHistory,
  }),
];
