import { GatewayError, withinTime } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';

const UNAUTHORIZED = 401;
const INTERNAL = 500;

/**
 * Reads the parts of a dashboard, of the services `Name`. If one is unavailable or rejects the read, only
 * its own part is missing.
 */
export class DashboardParts<Name extends ServiceName = ServiceName> {
  readonly #timeoutMs: number;
  readonly #onMiss: () => void;
  readonly #unavailable = new Set<Name>();

  /**
   * @param timeoutMs how long to wait for each part
   * @param onMiss called for each part that is missing
   */
  constructor(timeoutMs: number, onMiss: () => void = () => {}) {
    this.#timeoutMs = timeoutMs;
    this.#onMiss = onMiss;
  }

  /** The services of the parts that could not be read, sorted. */
  get unavailable(): Name[] {
    return [...this.#unavailable].sort();
  }

  /**
   * Null if the service does not respond, fails, or rejects the read. Throws if it rejects the token, because
   * then no part can be read.
   */
  async read<T>(service: Name, read: () => Promise<T>): Promise<T | null> {
    try {
      return await withinTime(read(), this.#timeoutMs, () => this.#miss(service));
    } catch (error) {
      if (isOfPart(error)) return this.#miss(service);
      throw error;
    }
  }

  #miss(service: Name): null {
    this.#unavailable.add(service);
    this.#onMiss();
    return null;
  }
}

/** Errors of the gateway itself are not errors of a part. */
function isOfPart(error: unknown): boolean {
  return error instanceof GatewayError && error.status !== UNAUTHORIZED && error.status !== INTERNAL;
}
