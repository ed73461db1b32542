/** Source of the current time; tests pass their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The clocks of two machines may differ by this much. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Whether a time that was set at most `maxMs` ahead is yet to come. One that lies further ahead was set
 * before the clock was corrected backwards, and counts as past.
 */
export function isYetToCome(time: number, maxMs: number, clock: Clock): boolean {
  const leftMs = time - clock.now();
  return leftMs > 0 && leftMs <= maxMs;
}

/**
 * Formats a timestamp of any service, or milliseconds, as `YYYY-MM-DDTHH:MM:SSZ`. Returns null for
 * missing or invalid values; the milliseconds that the gateway stores are valid.
 */
export function toTimestamp(value: number): string;
export function toTimestamp(value: string | number | null | undefined): string | null;
export function toTimestamp(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  // Several services send UTC without a zone, which Date would read as local time.
  const zoned =
    typeof value === 'string' && !/(?:[zZ]|[+-]\d\d:?\d\d)$/.test(value)
      ? `${value.replace(' ', 'T')}Z`
      : value;
  const date = new Date(zoned);
  if (Number.isNaN(date.getTime())) return null;
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** A timestamp of any service in milliseconds since the epoch. Null for missing or invalid values. */
export function toMilliseconds(value: string | null | undefined): number | null {
  const timestamp = toTimestamp(value);
  return timestamp === null ? null : Date.parse(timestamp);
}

/** Resolves after `ms`; rejects with the signal's reason if the signal aborts first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The result of the work; rejects with the reason of a signal that aborts first. The work continues. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.finally(() => signal.removeEventListener('abort', onAbort)).then(resolve, reject);
    if (signal.aborted) onAbort();
  });
}

/**
 * The result of `work`, or that of `late` if the work takes longer. It continues after that, and may fill a
 * cache for the next reader.
 */
export async function withinTime<T, Late>(
  work: Promise<T>,
  timeoutMs: number,
  late: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late()), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
