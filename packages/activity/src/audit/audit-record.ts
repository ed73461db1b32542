/**
 * `change`: by an administrator. `session`: a log-in, a log-out or a switch of the project. `refusal`: one of
 * these that was refused. They are kept apart, because anybody can add to the last two, and the oldest of
 * each go first.
 */
export const AUDIT_KINDS = ['change', 'session', 'refusal'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** What was done, and how it ended. Never a body: it may hold a secret. */
export interface NewAuditRecord {
  request_id: string;
  /** The client's address. */
  address: string;
  /** Null for a log-in that was refused. */
  user_id: string | null;
  user_name: string | null;
  /** A hash of the domain and name of a log-in; null for other requests. */
  name_hash: string | null;
  /** The project that the user worked in; null for a log-in that was refused. */
  project_id: string | null;
  /** The project that the request names in its path, query or body; null for none. */
  target_project_id: string | null;
  method: string;
  /** As it was declared: `/api/admin/users/:user_id`. */
  route: string;
  /** The ids in the path, and those of what was created or changed (`writes`); null for none. */
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
  name_hash?: string;
  address?: string;
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
  const { address, method, name_hash, outcome, project_id, request_id, resource_id, user_id } = filter;
  const equal = (wanted: string | undefined, ...values: (string | null)[]) =>
    wanted === undefined || values.includes(wanted);
  return (
    equal(user_id, record.user_id) &&
    equal(name_hash, record.name_hash) &&
    equal(address, record.address) &&
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
