import Joi from 'joi';
import { endpoint } from '../../http/endpoint.ts';
import { idField, shape, text, timestamp } from '../../http/schemas.ts';
import { cancelJob, followJob, getJob } from './handlers.ts';

const tag = 'jobs';
const params = Joi.object<{ job_id: string }>({ job_id: idField().required() });

const jobShape = shape('Job', {
  id: Joi.string(),
  type: Joi.string(),
  status: Joi.string().valid('queued', 'running', 'completed', 'failed', 'cancelled'),
  step: Joi.string().allow(null),
  progress: Joi.number().integer(),
  message: text(),
  resource_id: Joi.string().allow(null),
  error: Joi.string().allow(null),
  leftovers: Joi.array()
    .items(
      Joi.object({
        type: Joi.string().required(),
        id: text().required(),
        reason: text().required(),
      }).optional(),
    )
    .description('What could not be removed after a failure.'),
  created_at: timestamp(),
  updated_at: timestamp(),
});

export const jobEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/jobs/:job_id',
    tag,
    summary: 'A long operation',
    access: 'project',
    params,
    response: jobShape,
    handler: getJob,
  }),
  endpoint({
    method: 'GET',
    path: '/api/jobs/:job_id/events',
    tag,
    summary: 'Its progress, from the start or after the event named by `Last-Event-ID`, and on as it happens',
    access: 'project',
    params,
    produces: 'text/event-stream',
    handler: followJob,
  }),
  endpoint({
    method: 'POST',
    path: '/api/jobs/:job_id/cancel',
    tag,
    summary: 'Stop it at its next safe point and take back what it has made',
    access: 'project',
    params,
    status: 202,
    response: jobShape,
    errors: [409],
    handler: cancelJob,
  }),
];
