import type { Clock } from '@gateway/core';
import type { Openstack } from '@gateway/openstack';
import { acceptsWritesWithin, type Redis } from '@gateway/redis';

export interface Readiness {
  /** Whether the store accepts writes. */
  store: boolean;
  /** Whether the identity service answers. */
  identity: boolean;
}

export interface ReadinessCheckParts {
  redis: Redis;
  openstack: Openstack;
  clock: Clock;
}

/** A dependency that does not answer within this time is unavailable. */
const TIMEOUT_MS = 1_000;
/** The endpoint is public, so the result is reused for this long. */
const REUSE_MS = 1_000;

/** Checks what requests depend on. All requests within a second share the result. */
export class ReadinessCheck {
  readonly #parts: ReadinessCheckParts;
  #latest: { result: Promise<Readiness>; startedAt: number } | null = null;

  constructor(parts: ReadinessCheckParts) {
    this.#parts = parts;
  }

  check(requestId: string): Promise<Readiness> {
    const now = this.#parts.clock.now();
    if (this.#latest === null || this.#latest.startedAt + REUSE_MS <= now) {
      this.#latest = { result: this.#ask(requestId), startedAt: now };
    }
    return this.#latest.result;
  }

  async #ask(requestId: string): Promise<Readiness> {
    const [store, identity] = await Promise.all([
      acceptsWritesWithin(this.#parts.redis, TIMEOUT_MS),
      this.#identityAnswers(requestId),
    ]);
    return { store, identity };
  }

  async #identityAnswers(requestId: string): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      await this.#parts.openstack.identity.ping({ requestId, signal, retry: 'none' });
      return true;
    } catch {
      return false;
    }
  }
}
