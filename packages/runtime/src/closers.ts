export type Close = () => unknown | Promise<unknown>;

export interface Closers {
  /** Adds what closes the thing that was just opened. */
  add(name: string, close: Close): void;
  /**
   * Closes in reverse order of opening, one after the other. One that fails does not keep the rest open;
   * what failed is thrown afterwards (an `AggregateError` when several did). Called again, it closes nothing.
   */
  closeInReverse(): Promise<void>;
}

/** An ordered stack of what has been opened. */
export function createClosers(): Closers {
  throw new Error('Not built yet.');
}
