import { invalidInput, toTimestamp } from '@gateway/core';
import Joi from 'joi';
import { type AuditFilter, type AuditRecord, outcomeOf } from '../../audit/audit-record.ts';
import { idField, nullableText, shape, text, timestamp } from '../../http/schemas/fields.ts';
import { type PageQuery, pageQuery, pageShape, presentPage } from '../../http/schemas/page.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { adminTag } from '../admin-tag.ts';

interface AuditQuery extends PageQuery, Omit<AuditFilter, 'since' | 'until'> {
  since?: Date;
  until?: Date;
}

const auditQuery = Joi.object<AuditQuery, true>({
  ...pageQuery,
  user_id: idField().description('Of the administrator.'),
  project_id: idField().description(
    'The project that the administrator worked in, or that the request names.',
  ),
  resource_id: Joi.string().max(1024).description('An id in the path of the request.'),
  request_id: idField(),
  method: Joi.string().valid('POST', 'PUT', 'PATCH', 'DELETE'),
  outcome: Joi.string().valid('success', 'failure'),
  since: Joi.date().iso(),
  until: Joi.date().iso(),
});

const auditRecordShape = shape(
  'AuditRecord',
  {
    id: Joi.string(),
    timestamp: timestamp(),
    user_id: Joi.string(),
    user_name: text(),
    project_id: text().description('The project that the administrator worked in.'),
    target_project_id: nullableText().description('The project that the request names; null for none.'),
    method: Joi.string(),
    route: Joi.string().description('As it is declared, with the names of the ids.'),
    resource_id: nullableText().description('The ids in the path, separated by slashes; null for none.'),
    status: Joi.number().integer(),
    outcome: Joi.string().valid('success', 'failure'),
    request_id: Joi.string(),
    job_id: nullableText().description('The job that the request has started; null for none.'),
  },
  () => ({
    id: '1795340000000-0',
    route: '/api/admin/users/:user_id',
    method: 'PATCH',
    resource_id: '04f8996d-a763-47a9-a9b1-028ee3007569',
    target_project_id: null,
    user_name: 'admin',
    status: 200,
    job_id: null,
  }),
);

async function listAudit({ app, query }: RequestContext<unknown, AuditQuery>) {
  const { limit, marker, since, until, ...filter } = query;
  if (marker !== undefined && !(await app.audit.has(marker))) {
    throw invalidInput('The marker is not the id of a record.', {
      errors: [{ field: 'query.marker', message: 'must be the id of a record' }],
    });
  }
  const period = { since: since?.getTime(), until: until?.getTime() };
  const found = await app.audit.read({ ...filter, ...period }, limit + 1, marker);
  return presentPage(found.slice(0, limit).map(presentAuditRecord), found.length > limit);
}

function presentAuditRecord({ id, request_id, job_id, status, ...record }: AuditRecord) {
  return {
    id,
    timestamp: toTimestamp(Number(id.split('-')[0])),
    ...record,
    status,
    outcome: outcomeOf({ status }),
    request_id,
    job_id,
  };
}

export const adminAuditEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/audit',
    tag: adminTag,
    summary: 'What administrators have changed, newest first',
    description:
      'One record for each change through an endpoint for administrators, also for one that was refused. Records hold no bodies.',
    access: 'admin',
    query: auditQuery,
    response: pageShape('AuditPage', auditRecordShape),
    handler: listAudit,
  }),
];
