import { type MatchedCall, type Matcher, matcherOf } from './match.ts';

/** A misbehaviour to show. */
export interface FaultSpec extends Matcher {
  /** The first matching call it applies to, counted from 1 (the default). */
  nth?: number;
  /** How many matching calls from there on: 1 by default, 0 for all. */
  times?: number;
  /** Answer with this status, in the service's own error format unless `body` is given. */
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Wait so long before anything else; alone, the call is then answered as usual. */
  delayMs?: number;
  /** Close the connection instead of answering. */
  drop?: boolean;
  /** Never answer, until the caller goes away or faults are cleared. */
  hang?: boolean;
  /** Perform the call first, then misbehave: what was asked for has happened, the caller is not told. */
  after?: boolean;
}

interface ArmedFault {
  id: number;
  spec: FaultSpec;
  matches(call: MatchedCall): boolean;
  seen: number;
}

export class Faults {
  private armed: ArmedFault[] = [];
  private lastId = 0;
  private hanging = new Set<() => void>();

  add(spec: FaultSpec): number {
    const matches = matcherOf(spec);
    this.armed.push({ id: ++this.lastId, spec, matches, seen: 0 });
    return this.lastId;
  }

  /** The first fault that applies to this call now; every fault that matches counts it. */
  take(call: MatchedCall): FaultSpec | undefined {
    let found: FaultSpec | undefined;
    for (const fault of this.armed) {
      if (!fault.matches(call)) continue;
      fault.seen += 1;
      const from = fault.spec.nth ?? 1;
      const times = fault.spec.times ?? 1;
      if (fault.seen >= from && (times === 0 || fault.seen < from + times)) found ??= fault.spec;
    }
    return found;
  }

  list(): { id: number; seen: number; spec: FaultSpec }[] {
    return this.armed.map(({ id, seen, spec }) => ({ id, seen, spec }));
  }

  /** Holds a call until faults are cleared, then lets `release` end it. */
  hang(release: () => void): void {
    this.hanging.add(release);
  }

  forget(release: () => void): void {
    this.hanging.delete(release);
  }

  clear(): void {
    this.armed = [];
    for (const release of this.hanging) release();
    this.hanging.clear();
  }
}
