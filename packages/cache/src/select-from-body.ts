import { createHash } from 'node:crypto';
import type { CachedBody } from './entry.ts';
import type { RowTable } from './rows/row-table.ts';
import { selectRows } from './rows/select-rows.ts';
import type { Selection } from './rows/selection.ts';

const TAG_LENGTH = 22;

/**
 * The selected rows of a plain body, with an entity tag of their own.
 * @throws 400 for an unknown marker
 */
export function selectFromBody(content: CachedBody, table: RowTable, selection: Selection): CachedBody {
  const { rows, total, nextMarker } = selectRows(table, selection);
  const body = table.cut(content.body, rows);
  // The headers about the part belong to what a client has.
  const hash = createHash('sha256')
    .update(JSON.stringify([total, nextMarker]))
    .update(body);
  const etag = `"${hash.digest('base64url').slice(0, TAG_LENGTH)}"`;
  return { ...content, body, etag, part: { total, nextMarker } };
}
