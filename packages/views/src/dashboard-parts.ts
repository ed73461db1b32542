import type { ServiceName } from '@gateway/config';
import { GatewayError } from '@gateway/core';

/** On a dashboard whose response does not show that a row is in transition. Symbols are not serialized. */
export const IN_TRANSITION = Symbol('inTransition');

const TOO_MANY_REQUESTS = 429;

/** Reads the parts of a dashboard. A service that is unavailable costs its own part. */
export class DashboardParts {
  readonly #timeoutMs: number;
  readonly #unavailable = new Set<ServiceName>();

  /** @param timeoutMs how long to wait for each part. Its read goes on, and may fill a cache for the next reader. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The services that were unavailable, sorted. */
  get unavailable(): ServiceName[] {
    return [...this.#unavailable].sort();
  }

  /** Null if the service does not answer, or fails. Throws its refusals. */
  async read<T>(service: ServiceName, read: () => Promise<T>): Promise<T | null> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(this.#miss(service)), this.#timeoutMs);
    });
    try {
      return await Promise.race([read(), timeout]);
    } catch (error) {
      if (isUnavailable(error)) return this.#miss(service);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #miss(service: ServiceName): null {
    this.#unavailable.add(service);
    return null;
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof GatewayError && (error.status > 500 || error.status === TOO_MANY_REQUESTS);
}
