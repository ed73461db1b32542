import { type EventLog, LogLostError } from '../feed/event-log.ts';
import { jobKeys } from '../keys.ts';
import { type ChangeEntry, compareChangeIds, parseChange } from './change-entry.ts';

/** The log of what changes in a project. A position is the id of an entry. */
export function projectLog(projectId: string): EventLog<ChangeEntry, string> {
  return {
    key: jobKeys.changes(projectId),
    positionOf: ({ id }) => id,
    compare({ id, previous }, position) {
      if (previous === position) return 'next';
      return compareChangeIds(id, position) <= 0 ? 'earlier' : 'later';
    },
    async read(redis, position, limit) {
      const [seen, ...entries] = await redis.xrange(
        jobKeys.changes(projectId),
        position,
        '+',
        'COUNT',
        limit + 1,
      );
      if (seen?.[0] !== position) throw new LogLostError(`project ${projectId}`);
      let previous = position;
      return entries.map(([id, fields]) => {
        const entry = parseChange(id, previous, fieldsOf(fields));
        previous = id;
        return entry;
      });
    },
  };
}

/** The fields of an entry of a stream, which Redis lists as name, value, name, value. */
export function fieldsOf(list: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < list.length; at += 2) fields[list[at] ?? ''] = list[at + 1] ?? '';
  return fields;
}
