import {
  AUDIT_KINDS,
  type AuditFilter,
  type AuditKind,
  type AuditRecord,
  outcomeOf,
} from '@gateway/activity';
import { invalidInput, toTimestamp } from '@gateway/core';
import { addNames, allProjectNames } from '@gateway/resources';
import Joi from 'joi';
import { chosenIdField, idField } from '../../http/schemas/fields.ts';
import { type PageQuery, pageQuery, pageShape, presentPage } from '../../http/schemas/page.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import { documentedPath, endpoint } from '../../pipeline/endpoint.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { adminTags } from '../admin-tags.ts';
import type { PresentedRecord } from './shapes.ts';
import { auditRecordShape } from './shapes.ts';

interface AuditQuery extends PageQuery, Omit<AuditFilter, 'since' | 'until'> {
  kind: AuditKind;
  since?: Date;
  until?: Date;
}

const auditQuery = Joi.object<AuditQuery, true>({
  ...pageQuery,
  kind: Joi.string()
    .valid(...AUDIT_KINDS)
    .default('change')
    .description(
      '`change`: by an administrator. `session`: log-in, log-out and switch of the project, by anybody. `refusal`: these, if they were refused.',
    ),
  user_id: chosenIdField().description('Who has done it.'),
  name_hash: Joi.string()
    .max(255)
    .description('The hash of the name with which someone logged in, or tried to.'),
  address: Joi.string().max(255).description("The client's address."),
  project_id: idField().description('The project that the user worked in, or that the request names.'),
  resource_id: Joi.string()
    .max(1024)
    .description('An id in the path of the request, or of what it has created or changed.'),
  request_id: idField(),
  method: Joi.string().valid('POST', 'PUT', 'PATCH', 'DELETE'),
  outcome: Joi.string().valid('success', 'failure').meta({ name: 'AuditOutcome' }),
  since: Joi.date().iso(),
  until: Joi.date().iso().min(new Date(0)),
});

async function listAudit(request: RequestContext<unknown, AuditQuery>) {
  const { app, query } = request;
  const { kind, limit, marker, since, until, ...filter } = query;
  if (marker !== undefined && !(await app.audit.has(kind, marker))) {
    throw invalidInput('The marker is not the id of a record.', {
      errors: [{ field: 'query.marker', message: 'must be the id of a record' }],
    });
  }
  const period = { since: since?.getTime(), until: until?.getTime() };
  const found = await app.audit.read(kind, { ...filter, ...period }, limit + 1, marker);
  const rows = await addNames(sourcesOf(request), found.slice(0, limit).map(presentAuditRecord), {
    project_id: allProjectNames,
    target_project_id: allProjectNames,
  });
  return presentPage(rows, found.length > limit);
}

function presentAuditRecord({
  id,
  request_id,
  job_id,
  route,
  status,
  ...record
}: AuditRecord): PresentedRecord {
  return {
    id,
    timestamp: toTimestamp(Number(id.split('-')[0])),
    ...record,
    route: documentedPath(route),
    project_name: null,
    target_project_name: null,
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
    tag: adminTags.audit,
    summary: 'What administrators have changed, and sessions, newest first',
    description:
      'One record for each change through an endpoint for administrators, also for one that was refused, and, by `kind`, for each log-in, log-out and switch of the project. Records hold no bodies.',
    access: 'admin',
    query: auditQuery,
    response: pageShape('AuditPage', auditRecordShape),
    handler: listAudit,
  }),
];
