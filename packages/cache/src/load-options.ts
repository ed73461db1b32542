import type { AcceptedEncoding } from './compress.ts';
import type { Selection } from './rows/selection.ts';
import type { RowInTransition } from './rows-in-transition.ts';

/** Which part of a list a reader gets, and in which encoding. */
export interface ReadOptions {
  /** Plain by default. */
  accepted?: AcceptedEncoding;
  /** Some of the rows; all by default. */
  selection?: Selection | undefined;
}

export interface LoadOptions extends ReadOptions {
  /** How long the response is kept; 0 means not at all. */
  ttlSeconds: (response: unknown, isInTransition: boolean) => number;
  /** Loads the list from the cloud. */
  load: () => Promise<unknown>;
  /** Called with the response of `load` once it is stored, so that a later read gets it or a newer one. */
  onLoaded?: (response: unknown) => void;
  /**
   * False if the response lacks what an unavailable service would have added. Stored with the entry; true by
   * default.
   */
  isComplete?: (response: unknown) => boolean;
  /** Whether the response lacks rows that could not be read. Stored with the entry; false by default. */
  lacksRows?: (response: unknown) => boolean;
  /**
   * The rows in transition. Null, the default, for a list whose rows are never in transition: nothing is then
   * stored about them.
   */
  rowsInTransition?: (response: unknown) => readonly RowInTransition[] | null;
  /** Ignores the cached entry, loads the list again and stores it. Concurrent refreshes share one load. */
  refresh?: boolean;
}
