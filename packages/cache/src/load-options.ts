import type { AcceptedEncoding } from './compress.ts';

export interface LoadOptions {
  /** How long the response is kept; 0 means not at all. */
  ttlSeconds: (response: unknown) => number;
  /** Reads the list from the cloud. */
  load: () => Promise<unknown>;
  /** False if the response lacks what an unavailable service would have added. Kept with the entry; true by default. */
  isComplete?: (response: unknown) => boolean;
  /** Ignores the cached entry, reads anew and stores the result. Concurrent refreshes share one read. */
  refresh?: boolean;
  /** Plain by default. */
  accepted?: AcceptedEncoding;
}
