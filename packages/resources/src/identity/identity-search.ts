/** Selects users, groups or projects. */
export interface IdentitySearch {
  /** A part of the name. */
  name?: string;
  domain_id?: string;
}

/** The query with which the identity service itself searches. */
export function queryOf({ domain_id, name }: IdentitySearch) {
  return { domain_id, name__icontains: name };
}

/** Whether the search selects everything. */
export function isForAll({ domain_id, name }: IdentitySearch): boolean {
  return domain_id === undefined && name === undefined;
}
