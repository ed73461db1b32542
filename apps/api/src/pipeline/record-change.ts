import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditKind } from '../audit/audit-record.ts';
import { finalStatusOf, type GatewayResponse } from '../http/response/gateway-response.ts';
import type { AnyEndpoint } from './endpoint.ts';

/**
 * Records a change by an administrator, or of a session, once the response has ended. Delays and fails
 * nothing.
 */
export function recordChangeWhenDone(
  audit: AuditLog,
  endpoint: Pick<AnyEndpoint, 'access' | 'changesSession' | 'method' | 'path'>,
  response: GatewayResponse,
): void {
  const { access, changesSession = false, method, path } = endpoint;
  if (!changesSession && (access !== 'admin' || method === 'GET')) return;
  response.once('close', () => {
    const status = finalStatusOf(response);
    const kind = changesSession ? kindOfSession(status) : 'change';
    if (kind === null) return;
    const { locals } = response;
    audit.record(kind, {
      request_id: locals.requestId,
      address: locals.address ?? '',
      user_id: locals.userId ?? null,
      user_name: locals.userName ?? null,
      name_hash: locals.nameHash ?? null,
      project_id: locals.projectId ?? null,
      target_project_id: locals.targetProjectId ?? null,
      method,
      route: path,
      resource_id: locals.resourceId ?? null,
      status,
      job_id: locals.jobId ?? null,
    });
  });
}

/** Null if the request was neither accepted nor denied: invalid input, too many requests, faults. */
function kindOfSession(status: number): AuditKind | null {
  if (status < 400) return 'session';
  return status === 401 || status === 403 ? 'refusal' : null;
}
