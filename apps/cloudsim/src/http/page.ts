export interface PageSettings {
  /** The maximum length of a list of containers, or of load balancers and what they have, in one response. */
  maxPageLength: number;
}

/** At most `limit` items after the marker, and whether more follow. */
interface Page<T> {
  items: T[];
  more: boolean;
}

/** `unknownMarker` creates the error for a marker that is not in the list. */
export function pageOf<T>(
  items: T[],
  idOf: (item: T) => string,
  marker: string | null,
  limit: number,
  unknownMarker: (marker: string) => Error,
): Page<T> {
  let start = 0;
  if (marker !== null) {
    const found = items.findIndex((item) => idOf(item) === marker);
    if (found < 0) throw unknownMarker(marker);
    start = found + 1;
  }
  return { items: items.slice(start, start + limit), more: start + limit < items.length };
}

/** The query of the link to the next page. */
export function nextQuery(query: URLSearchParams, marker: string): string {
  const next = new URLSearchParams(query);
  next.set('marker', marker);
  return next.toString();
}
