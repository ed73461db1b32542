import type { RecordedCall } from './calls.ts';
import { type MatchedCall, type Matcher, matcherOf } from './match.ts';

/**
 * The point where a call stops until it is released.
 * - `before`: before the service receives the call. When the client disconnects, the call is never performed.
 * - `late`: after the service has checked the token, before the call is performed. On release the call is
 *   performed, even when the client has disconnected and the token is no longer valid.
 * - `after`: after the call is performed, before its response. The effect stays when the client disconnects.
 * - `next`: the matching call completes; the next call with the same global request id stops
 *   before it is performed.
 */
export type HoldPoint = 'before' | 'late' | 'after' | 'next';

export interface HoldSpec extends Matcher {
  when: HoldPoint;
}

/**
 * `armed` until the call arrives, `held` while it is stopped, then `released`. `abandoned` if
 * the client disconnects.
 */
export type HoldState = 'armed' | 'held' | 'released' | 'abandoned';

interface HoldReport {
  id: number;
  spec: HoldSpec;
  state: HoldState;
  /** The held call. */
  call: RecordedCall | null;
}

/** Stops single calls at an exact point, so that a test can act on the waiting client. */
export class Holds {
  readonly #holds = new Map<number, Hold>();
  #lastId = 0;

  /** @throws when `when` is missing or unknown, or the path is not a regular expression. */
  add(spec: HoldSpec): number {
    if (!['before', 'late', 'after', 'next'].includes(spec.when)) {
      throw new Error('when must be before, late, after or next');
    }
    this.#lastId += 1;
    this.#holds.set(this.#lastId, new Hold(this.#lastId, spec));
    return this.#lastId;
  }

  get(id: number): Hold | undefined {
    return this.#holds.get(id);
  }

  list(): HoldReport[] {
    return [...this.#holds.values()].map((hold) => hold.report());
  }

  /** The hold for this call, if any. All matching holds count the call. */
  meet(call: MatchedCall): Hold | undefined {
    if (this.#holds.size === 0) return undefined;
    return [...this.#holds.values()].filter((hold) => hold.meets(call))[0];
  }

  /** Releases all held calls and removes all holds. */
  clear(): void {
    for (const hold of this.#holds.values()) hold.release();
    this.#holds.clear();
  }
}

export class Hold {
  readonly id: number;
  readonly spec: HoldSpec;
  readonly #matches: (call: MatchedCall) => boolean;
  readonly #waiting = new Set<() => void>();
  #seen = 0;
  #isTaken = false;
  #state: HoldState = 'armed';
  #call: RecordedCall | null = null;
  /** The request id to wait for. Set when the call that a `next` hold matches has its response. */
  #followedId: string | null = null;
  #resume: (() => void) | undefined;

  constructor(id: number, spec: HoldSpec) {
    this.id = id;
    this.spec = spec;
    this.#matches = matcherOf(spec);
  }

  get isLate(): boolean {
    return this.spec.when === 'late';
  }

  /** Whether this hold takes the call: the caller then calls `before`, `performed` and `answered`. */
  meets(call: MatchedCall): boolean {
    if (this.#isTaken) return false;
    if (this.#followedId !== null) {
      this.#isTaken = call.requestId === this.#followedId;
      return this.#isTaken;
    }
    if (!this.#matches(call)) return false;
    this.#seen += 1;
    const isMeant = this.#seen === (this.spec.nth ?? 1);
    this.#isTaken = isMeant && this.spec.when !== 'next';
    return isMeant;
  }

  /** Resolves when the call may be performed; with `false` when the client has disconnected. */
  async before(call: RecordedCall, disconnected: Promise<void>): Promise<boolean> {
    return this.#isTaken && this.spec.when !== 'after' ? this.#stop(call, disconnected) : true;
  }

  /** Resolves when the response may be sent; with `false` when the client has disconnected. */
  async performed(call: RecordedCall, disconnected: Promise<void>): Promise<boolean> {
    return this.spec.when === 'after' ? this.#stop(call, disconnected) : true;
  }

  answered(call: RecordedCall): void {
    if (this.spec.when === 'next') this.#followedId ??= call.request_id;
  }

  release(): void {
    if (this.#state !== 'held') return;
    this.#move('released');
    this.#resume?.();
  }

  /** Resolves when the hold has been reached, or after `timeoutMs` milliseconds. */
  async untilReached(timeoutMs: number): Promise<HoldReport> {
    if (this.#state === 'armed' && timeoutMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.report();
  }

  report(): HoldReport {
    return { id: this.id, spec: this.spec, state: this.#state, call: this.#call };
  }

  #stop(call: RecordedCall, disconnected: Promise<void>): Promise<boolean> {
    this.#call = call;
    this.#move('held');
    return new Promise((resolve) => {
      this.#resume = () => resolve(true);
      if (this.isLate) return;
      void disconnected.then(() => {
        if (this.#state === 'held') this.#move('abandoned');
        resolve(false);
      });
    });
  }

  #move(state: HoldState): void {
    this.#state = state;
    for (const reached of this.#waiting) reached();
    this.#waiting.clear();
  }
}
