export type Close = () => unknown | Promise<unknown>;

export interface Closers {
  /** Adds what closes the thing that was just opened. */
  add(name: string, close: Close): void;
  /**
   * Closes in reverse order of opening, one after the other. One that fails does not keep the rest open: what
   * failed is thrown afterwards, as an `AggregateError`. Called again, it gives the same promise.
   */
  closeInReverse(): Promise<void>;
}

/** An ordered stack of what has been opened. */
export function createClosers(): Closers {
  const opened: { name: string; close: Close }[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    const failures: Error[] = [];
    for (let next = opened.pop(); next !== undefined; next = opened.pop()) {
      try {
        await next.close();
      } catch (cause) {
        failures.push(new Error(`Closing ${next.name} failed.`, { cause }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed.');
  }

  return {
    add(name, close) {
      if (closing !== undefined) throw new Error(`${name} was opened while everything is being closed.`);
      opened.push({ name, close });
    },
    closeInReverse() {
      closing ??= closeAll();
      return closing;
    },
  };
}
