import Joi from 'joi';
import { descriptionField, timestampField } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { beginReadOnlyMode, endReadOnlyMode, getReadOnlyMode, type ReadOnlyModeBody } from './handlers.ts';
import { REASON, readOnlyModeShape } from './shapes.ts';

const PATH = '/api/admin/read-only-mode';

const readOnlyModeBody = Joi.object<ReadOnlyModeBody>({
  reason: descriptionField()
    .allow(null)
    .description('A sentence for users, in refusals and banners. Everybody can read it.'),
  until: timestampField()
    .allow(null)
    .description('When the mode ends by itself. Without it, an administrator ends the mode.'),
}).meta({ example: () => ({ reason: REASON, until: '2027-01-31T06:00:00Z' }) });

export const adminReadOnlyModeEndpoints = [
  endpoint({
    method: 'GET',
    path: PATH,
    tag: adminTags.overview,
    summary: 'Whether the gateway accepts no changes, and why',
    description: '`read_only` in `GET /api/health` says the same to everybody, without the administrator.',
    access: 'admin',
    response: readOnlyModeShape,
    handler: getReadOnlyMode,
  }),
  endpoint({
    method: 'PUT',
    path: PATH,
    tag: adminTags.overview,
    summary: 'Accept no changes, for maintenance, or change the reason and the end of it',
    description: [
      'All writes are then 503 `read_only`, with the reason and `Retry-After`, at all api processes at once. Reads continue, as do jobs',
      'that run or wait, and scheduled auto backups. So do log-ins, log-outs, switches of the project, extensions and ends of sessions, new passwords',
      'for expired ones, tickets of streams, checks of the health of lite clusters, the reports of machines, and what operators do to jobs and queues.',
    ].join(' '),
    access: 'admin',
    body: readOnlyModeBody,
    response: readOnlyModeShape,
    writes: [],
    worksWhileReadOnly: true,
    handler: beginReadOnlyMode,
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    tag: adminTags.overview,
    summary: 'Accept changes again',
    description: 'Has no effect unless the gateway is read-only.',
    access: 'admin',
    status: 204,
    writes: [],
    worksWhileReadOnly: true,
    handler: endReadOnlyMode,
  }),
];
