import type { IncomingMessage } from 'node:http';
import { columnsOf, type SelectedPart, type Selection, selectRows } from '@gateway/cache';
import type { Response } from 'express';
import { queryTextOf } from '../http/request/query.ts';

/**
 * Selects rows of a list, and sets the headers about the part.
 * @throws 400 for an unknown marker
 */
export function selectPart(response: Response, list: readonly unknown[], selection: Selection): unknown[] {
  const { rows, ...part } = selectRows(columnsOf(list), selection);
  const headers = partHeaders(response.req, part);
  for (let index = 0; index < headers.length; index += 2) {
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
  }
  return rows.map((row) => list[row]);
}

/**
 * The headers of a response with some rows of a list, as name, value, name, value. The link is relative to
 * the address of the request, which a proxy may have changed.
 */
export function partHeaders(request: IncomingMessage, { nextMarker, total }: SelectedPart): string[] {
  const headers = ['X-Total-Count', String(total)];
  if (nextMarker === null) return headers;
  const query = new URLSearchParams(queryTextOf(request));
  query.set('marker', nextMarker);
  // The next page continues the list that was read now.
  query.delete('refresh');
  return [...headers, 'Link', `<?${query}>; rel="next"`];
}
