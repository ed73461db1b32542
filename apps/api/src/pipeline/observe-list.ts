import { type WatchedResource, type WatchedRows, watchedRowsOf } from '@gateway/core';
import { type Observation, observe, type Rows, type WatchedList } from '@gateway/jobs';
import { dropLists } from '@gateway/resources';
import type { Caller } from '../auth/caller.ts';
import type { AppContext } from '../context.ts';

/** A read of a list whose differences become events. */
export interface ObservedRead {
  /**
   * Reports what the response shows, once the response is stored. Drops the lists that have these rows before
   * that, so that a read which follows an event sees the change. Returns whether there was a difference.
   */
  report(response: unknown): Promise<boolean>;
}

/** Call it before the list is read. */
export async function observeList(
  app: Pick<AppContext, 'cache' | 'changes'>,
  watched: WatchedResource,
  caller: Caller,
): Promise<ObservedRead> {
  const { projectId } = caller.identity;
  const observation: Observation = await observe(app.changes, watchedListOf(watched, caller));
  return {
    async report(response) {
      const reportDifferences = observation.compare(rowsOf(watched, response, projectId));
      if (reportDifferences === null) return false;
      await dropLists(app.cache, projectId, [watched]);
      await reportDifferences();
      return true;
    },
  };
}

/**
 * Observes a list that a request reads, if somebody listens to the project. Returns a function that takes the
 * response; it delays and fails nothing.
 */
export async function observeInPassing(
  app: Pick<AppContext, 'cache' | 'changes' | 'listeners' | 'logger'>,
  watched: WatchedResource | undefined,
  caller: Caller | null,
): Promise<(response: unknown) => void> {
  if (watched === undefined || caller === null) return () => {};
  const { projectId } = caller.identity;
  if (!app.listeners.has(projectId) && !app.changes.isListened(projectId)) return () => {};
  const onError = (error: unknown) => app.logger.debug('A list could not be compared', { error });
  const observed = await observeList(app, watched, caller).catch(onError);
  return (response) => void observed?.report(response).catch(onError);
}

type Row = Readonly<Record<string, unknown>>;

/** The list that a caller reads. */
export function watchedListOf(type: WatchedResource, { identity }: Caller): WatchedList {
  const { isPerUser = false } = watchedRowsOf(type);
  return { projectId: identity.projectId, type, userId: isPerUser ? identity.userId : null };
}

/** What is compared of the project's own rows. Scripts of Redis read no half of a surrogate pair. */
function rowsOf(type: WatchedResource, response: unknown, projectId: string): Rows {
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
