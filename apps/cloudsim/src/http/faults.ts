import { type MatchedCall, type Matcher, matcherOf } from './match.ts';

/** A fault to inject into matching calls. */
export interface FaultSpec extends Matcher {
  /** The number of matching calls from `nth` on: 1 by default, 0 for all. */
  times?: number;
  /** Responds with this status, in the service's error format unless `body` is set. */
  status?: number;
  body?: unknown;
  /** With `status`: the response is the page of a proxy in front of the service. */
  proxy?: boolean;
  headers?: Record<string, string>;
  /** Delays the call. Without another fault the response is then normal. */
  delayMs?: number;
  /** Closes the connection without a response. */
  drop?: boolean;
  /** Sends no response until the client disconnects or faults are cleared. */
  hang?: boolean;
  /** Performs the call before the fault: the call takes effect, but the client gets no normal response. */
  after?: boolean;
}

interface ArmedFault {
  id: number;
  spec: FaultSpec;
  matches(call: MatchedCall): boolean;
  seen: number;
}

export class Faults {
  #armed: ArmedFault[] = [];
  #lastId = 0;
  #hanging = new Set<() => void>();

  add(spec: FaultSpec): number {
    const matches = matcherOf(spec);
    this.#armed.push({ id: ++this.#lastId, spec, matches, seen: 0 });
    return this.#lastId;
  }

  /** The first fault that applies to this call. All matching faults count the call. */
  take(call: MatchedCall): FaultSpec | undefined {
    let found: FaultSpec | undefined;
    for (const fault of this.#armed) {
      if (!fault.matches(call)) continue;
      fault.seen += 1;
      const from = fault.spec.nth ?? 1;
      const times = fault.spec.times ?? 1;
      if (fault.seen >= from && (times === 0 || fault.seen < from + times)) found ??= fault.spec;
    }
    return found;
  }

  list(): { id: number; seen: number; spec: FaultSpec }[] {
    return this.#armed.map(({ id, seen, spec }) => ({ id, seen, spec }));
  }

  /** Keeps a hanging call; `release` is called when faults are cleared. */
  hang(release: () => void): void {
    this.#hanging.add(release);
  }

  removeHanging(release: () => void): void {
    this.#hanging.delete(release);
  }

  clear(): void {
    this.#armed = [];
    for (const release of this.#hanging) release();
    this.#hanging.clear();
  }
}
