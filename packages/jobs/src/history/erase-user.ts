import { type Redis, replaceFieldScript } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { replaceChosenId } from './replace-chosen-id.ts';

/** A user whose identity is removed from what is stored. */
export interface ErasedUser {
  userId: string;
  /** Stands in the place of the id, so that it stays visible that one user has done several things. */
  pseudonym: string;
}

/** The fields of a part of an entry that name a user, besides ids. */
interface NamingPart {
  userId: string;
  userName: string | null;
  /** By id. */
  resourceNames?: Record<string, string>;
}

const SCANNED_AT_ONCE = 500;
/** As the identity service makes ids. Such an id stands in no text by chance. */
const MADE_ID = /^[0-9a-f-]{32,64}$/;

/** Replaces a user in the histories of all projects. Returns how many parts of entries have changed. */
export async function eraseUserFromHistories(redis: Redis, user: ErasedUser): Promise<number> {
  let erased = 0;
  for (const projectId of await redis.zrange(jobKeys.historyProjects, '0', '-1')) {
    const historyParts = jobKeys.historyParts(projectId);
    let cursor = '0';
    do {
      const [next, found] = await redis.hscan(historyParts, cursor, 'COUNT', SCANNED_AT_ONCE);
      for (let index = 0; index < found.length; index += 2) {
        const [field = '', expected = ''] = found.slice(index, index + 2);
        const value = withoutUser<NamingPart>(expected, user, (stored) =>
          withoutNames(stored, user.pseudonym),
        );
        if (value === null) continue;
        const args = { field, expected, value };
        erased += Number(await replaceFieldScript.run(redis, { hash: historyParts }, args));
      }
      cursor = next;
    } while (cursor !== '0');
  }
  return erased;
}

/**
 * A stored text with the pseudonym in every place of the id, and changed by `edit`; null if it does not have
 * the id. Of a text that nothing can read, only the id goes, and one that people have chosen stays: it may be
 * a part of anything.
 */
export function withoutUser<Stored>(
  text: string,
  { pseudonym, userId }: ErasedUser,
  edit: (stored: Stored) => Stored,
): string | null {
  if (!MADE_ID.test(userId)) {
    const stored = parseJson(text);
    const replaced = replaceChosenId(stored, userId, pseudonym);
    const isChanged = JSON.stringify(replaced) !== JSON.stringify(stored);
    return isChanged ? JSON.stringify(edit(replaced as Stored)) : null;
  }
  if (!text.includes(userId)) return null;
  const replaced = text.replaceAll(userId, pseudonym);
  try {
    return JSON.stringify(edit(JSON.parse(replaced) as Stored));
  } catch {
    return replaced;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function withoutNames(part: NamingPart, pseudonym: string): NamingPart {
  const { [pseudonym]: _name, ...resourceNames } = part.resourceNames ?? {};
  return {
    ...part,
    ...(part.userId === pseudonym && { userName: null }),
    ...(part.resourceNames !== undefined && { resourceNames }),
  };
}
