import { type Clock, isYetToCome, newRequestId, withinTime } from '@gateway/core';
import {
  type Endpoints,
  type Openstack,
  serviceTitles,
  type UnsupportedMicroversion,
} from '@gateway/openstack';
import type { Logger } from '@gateway/platform';

interface MicroversionCheckParts {
  openstack: Openstack;
  logger: Logger;
  clock: Clock;
  /** The addresses of the services; null while no catalog is known. */
  endpoints(requestId: string): Promise<Endpoints | null>;
}

/** A service that does not answer within this time is not checked, and a caller waits no longer. */
const TIMEOUT_MS = 2_000;
/** Services change their versions when they are upgraded. */
const REUSE_MS = 600_000;

/**
 * Finds services that are too old or too new for the gateway, before a user's request fails because of that.
 */
export class MicroversionCheck {
  readonly #parts: MicroversionCheckParts;
  #latest: { result: Promise<UnsupportedMicroversion[]>; until: number } | null = null;
  #reported = '';

  constructor(parts: MicroversionCheckParts) {
    this.#parts = parts;
  }

  /** The services without the needed version. All callers within ten minutes share the result. */
  check(): Promise<UnsupportedMicroversion[]> {
    return withinTime(this.#check(), TIMEOUT_MS, () => []);
  }

  async #check(): Promise<UnsupportedMicroversion[]> {
    const { clock } = this.#parts;
    const until = clock.now() + REUSE_MS;
    if (this.#latest === null || !isYetToCome(this.#latest.until, REUSE_MS, clock)) {
      const requestId = newRequestId();
      const endpoints = await this.#parts.endpoints(requestId);
      if (endpoints === null) return [];
      const call = { requestId, signal: AbortSignal.timeout(TIMEOUT_MS) };
      const result = this.#parts.openstack.unsupportedMicroversions(endpoints, call);
      this.#latest = { result, until };
    }
    const found = await this.#latest.result;
    this.#report(found);
    return found;
  }

  /** Logs each service when it is found, and not again while nothing changes. */
  #report(found: readonly UnsupportedMicroversion[]): void {
    const text = JSON.stringify(found);
    if (text === this.#reported) return;
    this.#reported = text;
    for (const { needed, offered, service } of found) {
      this.#parts.logger.error('A service does not support the microversion that the gateway needs', {
        service: serviceTitles[service],
        needed,
        offered,
      });
    }
  }
}
