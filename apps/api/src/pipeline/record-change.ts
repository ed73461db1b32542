import type { Response } from 'express';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Caller } from '../auth/caller.ts';
import { requestIdOf } from '../http/response/gateway-response.ts';
import type { AnyEndpoint } from './endpoint.ts';

const CLIENT_CLOSED_REQUEST = 499;

/** Leaves a record of a change by an administrator once its response has gone out. Delays and fails nothing. */
export function recordChange(
  audit: AuditLog,
  { access, method, path }: Pick<AnyEndpoint, 'access' | 'method' | 'path'>,
  { identity }: Caller,
  response: Response,
): void {
  if (access !== 'admin' || method === 'GET') return;
  response.once('close', () => {
    const { targetProjectId = null, resourceId = null, jobId = null } = response.locals;
    audit.record({
      request_id: requestIdOf(response),
      user_id: identity.userId,
      user_name: identity.userName,
      project_id: identity.projectId,
      target_project_id: targetProjectId as string | null,
      method,
      route: path,
      resource_id: resourceId as string | null,
      status: response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST,
      job_id: jobId as string | null,
    });
  });
}
