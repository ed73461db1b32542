/** What a change was, and how it ended. Never a body: it may hold a secret. */
export interface NewAuditRecord {
  request_id: string;
  user_id: string;
  user_name: string;
  /** The project that the administrator worked in. */
  project_id: string;
  /** The project that the request names in its path, query or body; null for none. */
  target_project_id: string | null;
  method: string;
  /** As it was declared: `/api/admin/users/:user_id`. */
  route: string;
  /** The ids in the path; null for none. */
  resource_id: string | null;
  /** The status of the response; 499 if the client did not wait for it. */
  status: number;
  /** The job that the request has started; null for none. */
  job_id: string | null;
}

export interface AuditRecord extends NewAuditRecord {
  /** Begins with the time in milliseconds since the epoch. */
  id: string;
}

export interface AuditFilter {
  user_id?: string;
  /** The project that the administrator worked in, or that the request names. */
  project_id?: string;
  resource_id?: string;
  request_id?: string;
  method?: string;
  outcome?: 'success' | 'failure';
  /** Milliseconds since the epoch. */
  since?: number;
  until?: number;
}

export function matches(record: AuditRecord, filter: AuditFilter): boolean {
  const { user_id, project_id, resource_id, request_id, method, outcome } = filter;
  const equal = (wanted: string | undefined, ...values: (string | null)[]) =>
    wanted === undefined || values.includes(wanted);
  return (
    equal(user_id, record.user_id) &&
    equal(project_id, record.project_id, record.target_project_id) &&
    equal(resource_id, record.resource_id, ...(record.resource_id?.split('/') ?? [])) &&
    equal(request_id, record.request_id) &&
    equal(method, record.method) &&
    equal(outcome, outcomeOf(record))
  );
}

export function outcomeOf({ status }: Pick<AuditRecord, 'status'>): 'success' | 'failure' {
  return status < 400 ? 'success' : 'failure';
}

/** The project that validated input names; null for none. */
export function targetProjectOf(...inputs: unknown[]): string | null {
  for (const input of inputs) {
    const { project_id } = (input ?? {}) as { project_id?: unknown };
    if (typeof project_id === 'string') return project_id;
  }
  return null;
}
