import { type WatchedResource, type WatchedRows, watchedRowsOf } from '@gateway/core';
import type { Rows, WatchedList } from '@gateway/jobs';
import type { Caller } from '../auth/caller.ts';

type Row = Readonly<Record<string, unknown>>;

/** The list that a caller reads. */
export function watchedListOf(type: WatchedResource, { identity }: Caller): WatchedList {
  const { isPerUser = false } = watchedRowsOf(type);
  return { projectId: identity.projectId, type, userId: isPerUser ? identity.userId : null };
}

/** What is compared of the project's own rows. Scripts of Redis read no half of a surrogate pair. */
export function rowsOf(type: WatchedResource, response: unknown, projectId: string): Rows {
  const watched = watchedRowsOf(type);
  const { details = [], idField = 'id', projectField } = watched;
  const rows = (response as Row[]).filter(
    (row) => projectField === undefined || row[projectField] === projectId,
  );
  const compared = (row: Row) => [stateOf(watched, row) ?? '', ...details.map((field) => row[field] ?? '')];
  return new Map(
    rows.map((row) => [String(row[idField]).toWellFormed(), compared(row).join('\n').toWellFormed()]),
  );
}

/** The state of a row; null if it has none. */
function stateOf({ stateField = 'status' }: WatchedRows, row: unknown): string | null {
  const state = stateField === null ? null : (row as Row)[stateField];
  return typeof state === 'string' && state !== '' ? state : null;
}
