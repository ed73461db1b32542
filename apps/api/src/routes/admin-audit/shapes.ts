import {
  enumOf,
  idOrEmpty,
  integer,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';

export const auditRecordShape = shape('AuditRecord', {
  id: nonEmptyText('1795340000000-0'),
  timestamp: timestamp('2026-11-22T09:00:00Z'),
  address: text('198.51.100.7').describe("The client's address."),
  user_id: idOrEmpty('user').nullable().describe('Null for a log-in that was refused.'),
  user_name: text('admin').nullable(),
  name_hash: text().nullable().describe('Of a log-in: the same for the same domain and name.'),
  project_id: idOrEmpty('project').nullable().describe('The project that the user worked in.'),
  project_name: text('demo').nullable().describe('Its name now; null once it is deleted.'),
  target_project_id: text().nullable().describe('The project that the request names; null for none.'),
  target_project_name: text().nullable(),
  method: nonEmptyText('PATCH'),
  route: nonEmptyText('/api/admin/users/{user_id}').describe(
    'The path, as in this document: with the names of the ids.',
  ),
  resource_id: text('04f8996d-a763-47a9-a9b1-028ee3007569')
    .nullable()
    .describe(
      'The ids in the path, and those of what was created or changed, separated by slashes; null for none.',
    ),
  status: integer(200),
  outcome: enumOf('AuditOutcome', ['success', 'failure']),
  request_id: nonEmptyText('req-6f1c0c1e-5a2b-4c39-9a38-0f8d0f3f2a51'),
  job_id: text().nullable().describe('The job that the request has started; null for none.'),
});

export type PresentedRecord = ShapeType<typeof auditRecordShape>;
