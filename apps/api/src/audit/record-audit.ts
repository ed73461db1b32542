import type { ActivityReader, AuditKind, AuditLog, EndedRequest } from '@gateway/activity';

/** Records what administrators change, and changes of sessions. */
export function recordAudit(audit: AuditLog): ActivityReader {
  return {
    problem: 'An audit record could not be stored',
    ended(ended) {
      const kind = kindOf(ended);
      if (kind === null) return;
      const ids = ended.resources.map(({ id }) => id);
      return audit.record(kind, {
        request_id: ended.requestId,
        address: ended.address,
        user_id: ended.userId,
        user_name: ended.userName,
        name_hash: ended.nameHash,
        project_id: ended.projectId,
        target_project_id: ended.targetProjectId,
        method: ended.method,
        route: ended.route,
        resource_id: ids.length === 0 ? null : ids.join('/'),
        status: ended.status,
        job_id: ended.jobId,
      });
    },
  };
}

/** Null for what is not audited, and for changes of sessions that were neither accepted nor denied. */
function kindOf({ about, access, status }: EndedRequest): AuditKind | null {
  if (about !== 'session') return access === 'admin' ? 'change' : null;
  if (status < 400) return 'session';
  return status === 401 || status === 403 ? 'refusal' : null;
}
