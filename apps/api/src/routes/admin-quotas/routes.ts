import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTag } from '../admin-tag.ts';
import { getQuotas, setQuotas } from './handlers.ts';
import { quotaParams, quotasBody, quotasShape, quotasUpdatedShape } from './schemas.ts';

export const adminQuotaEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/quotas/:project_id',
    tag: adminTag,
    summary: 'The quotas of a project',
    access: 'admin',
    params: quotaParams,
    response: quotasShape,
    handler: getQuotas,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/quotas/:project_id',
    tag: adminTag,
    summary: 'Change quotas of a project',
    description:
      'All or none: if one service refuses, the limits of the others are put back. A limit below what is in use is refused.',
    access: 'admin',
    params: quotaParams,
    body: quotasBody,
    changes: ['quota'],
    response: quotasUpdatedShape,
    errors: [409],
    handler: setQuotas,
  }),
];
