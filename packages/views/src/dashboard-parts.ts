import type { ServiceName } from '@gateway/config';
import { GatewayError } from '@gateway/core';

/** On a dashboard whose response does not show that a row is in transition. Symbols are not serialized. */
export const IN_TRANSITION = Symbol('inTransition');

const UNAUTHORIZED = 401;
const INTERNAL = 500;

/** Reads the parts of a dashboard. A service that is unavailable, or refuses the read, costs its own part. */
export class DashboardParts {
  readonly #timeoutMs: number;
  readonly #unavailable = new Set<ServiceName>();

  /** @param timeoutMs how long to wait for each part. Its read goes on, and may fill a cache for the next reader. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The services of the parts that could not be read, sorted. */
  get unavailable(): ServiceName[] {
    return [...this.#unavailable].sort();
  }

  /** Null if the service does not answer, fails, or refuses. Throws if it does not accept the token: no part can be read then. */
  async read<T>(service: ServiceName, read: () => Promise<T>): Promise<T | null> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(this.#miss(service)), this.#timeoutMs);
    });
    try {
      return await Promise.race([read(), timeout]);
    } catch (error) {
      if (isOfPart(error)) return this.#miss(service);
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

/** A fault of the gateway itself is no fault of the part. */
function isOfPart(error: unknown): boolean {
  return error instanceof GatewayError && error.status !== UNAUTHORIZED && error.status !== INTERNAL;
}
