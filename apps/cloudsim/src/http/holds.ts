import type { RecordedCall } from './calls.ts';
import { type MatchedCall, type Matcher, matcherOf } from './match.ts';

/**
 * Where a call is stopped until it is released.
 * - `before`: it has arrived and was not performed; it never is when its caller goes away meanwhile.
 * - `late`: it has arrived and was not performed; it is when it is released, whether its caller is still there or not.
 * - `after`: it was performed, its answer is kept back; what it did stays when its caller goes away.
 * - `next`: it goes through, and the first call after its answer with the same global request id is stopped,
 *   before it is performed.
 */
export type HoldPoint = 'before' | 'late' | 'after' | 'next';

export interface HoldSpec extends Matcher {
  when: HoldPoint;
  /** The one matching call it applies to, counted from 1 (the default). */
  nth?: number;
}

/** `armed` until its call comes, `held` while it is stopped, then `released` or, the caller gone, `abandoned`. */
export type HoldState = 'armed' | 'held' | 'released' | 'abandoned';

export interface HoldReport {
  id: number;
  spec: HoldSpec;
  state: HoldState;
  /** The call it stopped. */
  call: RecordedCall | null;
}

/** Stops single calls at an exact point, so that something can be done to whoever waits for them. */
export class Holds {
  private readonly holds = new Map<number, Hold>();
  private lastId = 0;

  /** @throws when it says no point, or its path is no regular expression. */
  add(spec: HoldSpec): number {
    if (!['before', 'late', 'after', 'next'].includes(spec.when)) {
      throw new Error('when must be before, late, after or next');
    }
    this.lastId += 1;
    this.holds.set(this.lastId, new Hold(this.lastId, spec));
    return this.lastId;
  }

  get(id: number): Hold | undefined {
    return this.holds.get(id);
  }

  list(): HoldReport[] {
    return [...this.holds.values()].map((hold) => hold.report());
  }

  /** The hold that this call runs into, if any; every hold that matches counts it. */
  meet(call: MatchedCall): Hold | undefined {
    if (this.holds.size === 0) return undefined;
    return [...this.holds.values()].filter((hold) => hold.meets(call))[0];
  }

  /** Lets everything go on that is stopped, and forgets all holds. */
  clear(): void {
    for (const hold of this.holds.values()) hold.release();
    this.holds.clear();
  }
}

export class Hold {
  readonly id: number;
  readonly spec: HoldSpec;
  private readonly matches: (call: MatchedCall) => boolean;
  private readonly waiting = new Set<() => void>();
  private seen = 0;
  private isTaken = false;
  private state: HoldState = 'armed';
  private call: RecordedCall | null = null;
  /** Of the call that a `next` was about, once it was answered. */
  private followedId: string | null = null;
  private goOn: (() => void) | undefined;

  constructor(id: number, spec: HoldSpec) {
    this.id = id;
    this.spec = spec;
    this.matches = matcherOf(spec);
  }

  /** Whether this call is to be brought to `before`, `performed` and `answered`. */
  meets(call: MatchedCall): boolean {
    if (this.isTaken) return false;
    if (this.followedId !== null) {
      this.isTaken = call.requestId === this.followedId;
      return this.isTaken;
    }
    if (!this.matches(call)) return false;
    this.seen += 1;
    const isMeant = this.seen === (this.spec.nth ?? 1);
    this.isTaken = isMeant && this.spec.when !== 'next';
    return isMeant;
  }

  /** Resolves when the call may be performed; `false` when nobody waits for it any more. */
  async before(call: RecordedCall, gone: Promise<void>): Promise<boolean> {
    return this.isTaken && this.spec.when !== 'after' ? this.stop(call, gone) : true;
  }

  /** Resolves when the call may be answered. */
  async performed(call: RecordedCall, gone: Promise<void>): Promise<boolean> {
    return this.spec.when === 'after' ? this.stop(call, gone) : true;
  }

  answered(call: RecordedCall): void {
    if (this.spec.when === 'next') this.followedId ??= call.request_id;
  }

  release(): void {
    if (this.state !== 'held') return;
    this.move('released');
    this.goOn?.();
  }

  /** Resolves when it holds a call, or did, or after that many milliseconds. */
  async untilReached(timeoutMs: number): Promise<HoldReport> {
    if (this.state === 'armed' && timeoutMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.report();
  }

  report(): HoldReport {
    return { id: this.id, spec: this.spec, state: this.state, call: this.call };
  }

  private stop(call: RecordedCall, gone: Promise<void>): Promise<boolean> {
    this.call = call;
    this.move('held');
    return new Promise((resolve) => {
      this.goOn = () => resolve(true);
      if (this.spec.when === 'late') return;
      void gone.then(() => {
        if (this.state === 'held') this.move('abandoned');
        resolve(false);
      });
    });
  }

  private move(state: HoldState): void {
    this.state = state;
    for (const reached of this.waiting) reached();
    this.waiting.clear();
  }
}
