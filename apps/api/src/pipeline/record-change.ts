import type { Response } from 'express';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditKind } from '../audit/audit-record.ts';
import { requestIdOf } from '../http/response/gateway-response.ts';
import type { AnyEndpoint } from './endpoint.ts';

const CLIENT_CLOSED_REQUEST = 499;

/**
 * Leaves a record of a change by an administrator, or of a session, once the response has gone out. Delays and fails nothing. Who
 * it was is in `locals` by then.
 */
export function recordChangeWhenDone(
  audit: AuditLog,
  endpoint: Pick<AnyEndpoint, 'access' | 'changesSession' | 'method' | 'path'>,
  response: Response,
): void {
  const { access, changesSession = false, method, path } = endpoint;
  if (!changesSession && (access !== 'admin' || method === 'GET')) return;
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
    const kind = changesSession ? kindOfSession(status) : 'change';
    if (kind === null) return;
    const text = (name: string) => (response.locals[name] as string | undefined) ?? null;
    audit.record(kind, {
      request_id: requestIdOf(response),
      address: text('address') ?? '',
      user_id: text('userId'),
      user_name: text('userName'),
      name_hash: text('nameHash'),
      project_id: text('projectId'),
      target_project_id: text('targetProjectId'),
      method,
      route: path,
      resource_id: text('resourceId'),
      status,
      job_id: text('jobId'),
    });
  });
}

/** Null for what was not decided: input that is not valid, too many requests, faults. */
function kindOfSession(status: number): AuditKind | null {
  if (status < 400) return 'session';
  return status === 401 || status === 403 ? 'refusal' : null;
}
