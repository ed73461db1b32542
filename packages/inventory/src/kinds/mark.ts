/**
 * Identifies what a job has created, together with the resource's name. The rights used for searching may be
 * an administrator's and show other projects' resources, so the project is compared as well.
 *
 * There are several resources if a late call has created a second one. They are sorted, with the one to keep
 * first: not failed, then oldest.
 */
export interface JobMark {
  jobId: string;
  /** The project that the resource was created in. */
  projectId: string;
}

export function bestFirst<T extends { status: string; id: string }>(
  found: T[],
  createdAt: (record: T) => string | null | undefined,
): T[] {
  // Some clouds do not say when something was created.
  const age = (record: T) => createdAt(record) ?? '';
  const rank = (record: T) => (/^error/i.test(record.status) ? 1 : 0);
  return found.toSorted(
    (a, b) => rank(a) - rank(b) || age(a).localeCompare(age(b)) || a.id.localeCompare(b.id),
  );
}
