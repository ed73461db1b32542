import { oneOf, shape } from '@gateway/core/shapes';
import { adminQuotasShape } from '@gateway/resources/shapes';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { getQuotas, updateQuotas } from './handlers.ts';
import { quotaParams, quotasBody } from './schemas.ts';

const quotasUpdatedShape = shape('QuotasUpdated', {
  status: oneOf(['updated']),
});

export const adminQuotaEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/quotas/:project_id',
    tag: adminTags.quotas,
    summary: 'The quotas of a project',
    access: 'admin',
    params: quotaParams,
    response: adminQuotasShape,
    handler: getQuotas,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/quotas/:project_id',
    tag: adminTags.quotas,
    summary: 'Change quotas of a project',
    description:
      'All or none, in a job that the request waits for: if one service refuses, the limits of the others are put back. A limit below what ' +
      'is in use is refused. After `time_limits.job_accept_seconds` the answer is 504 with the job, which continues.',
    access: 'admin',
    params: quotaParams,
    body: quotasBody,
    response: quotasUpdatedShape,
    errors: ['not_found', 'conflict', 'token_expired', 'delegation_lost', 'cancelled', 'timeout'],
    startsJob: 'quotas.update',
    handler: updateQuotas,
  }),
];
