import { NewerFormError } from '@gateway/core';

/** What an entry of a project's log says. `anchor` only gives the log a first position. */
export type ChangeKind = 'change' | 'reset' | 'anchor';

/** An entry of the log of a project, as listeners get it. */
export interface ChangeEntry {
  /** Its id in the stream of Redis, which is the event id of clients. */
  id: string;
  /** The id of the entry before; '' if there is none any more. */
  previous: string;
  kind: ChangeKind;
  /** The type of the resource. */
  type: string;
  /** The only user who may see it; '' for all members of the project. */
  userId: string;
  /** One line of JSON, sent unchanged. */
  data: string;
}

/** The first character of the text of an entry. A newer form has other characters. */
export const changeMarks: Record<ChangeKind, string> = { change: '.', reset: '!', anchor: '~' };

const kinds = new Map(Object.entries(changeMarks).map(([kind, mark]) => [mark, kind as ChangeKind]));

/** The id of an entry. */
export const CHANGE_ID = /^\d{1,15}-\d{1,10}$/;

/** @throws NewerFormError */
export function parseChange(
  id: string,
  previous: string,
  { entry = '', type = '', user = '' }: Record<string, string>,
): ChangeEntry {
  const kind = kinds.get(entry.slice(0, 1));
  if (kind === undefined) throw new NewerFormError('entry of the log of a project');
  return { id, previous, kind, type, userId: user, data: entry.slice(1) };
}

/** Negative if the first id comes before the second. */
export function compareChangeIds(a: string, b: string): number {
  const [aTime = 0, aNumber = 0] = a.split('-').map(Number);
  const [bTime = 0, bNumber = 0] = b.split('-').map(Number);
  return aTime - bTime || aNumber - bNumber;
}
