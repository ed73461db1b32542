type Close = () => unknown | Promise<unknown>;

export interface Closers {
  /** Registers the close function of a resource that was just opened. */
  add(name: string, close: Close): void;
  /**
   * Closes the resources in reverse order, one at a time. It continues after a failure, and then throws an
   * `AggregateError`. Further calls return the same promise.
   */
  closeInReverse(): Promise<void>;
}

/** A stack of open resources. */
export function createClosers(): Closers {
  const opened: { name: string; close: Close }[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    const errors: Error[] = [];
    for (let next = opened.pop(); next !== undefined; next = opened.pop()) {
      try {
        await next.close();
      } catch (cause) {
        errors.push(new Error(`Closing ${next.name} failed.`, { cause }));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Not all resources could be closed.');
  }

  return {
    add(name, close) {
      if (closing !== undefined) throw new Error(`${name} was opened during shutdown.`);
      opened.push({ name, close });
    },
    closeInReverse() {
      closing ??= closeAll();
      return closing;
    },
  };
}
