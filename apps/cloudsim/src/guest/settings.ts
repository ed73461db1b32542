const OUTCOMES = ['succeeds', 'fails', 'silent', 'powers-off'] as const;

/** What servers do once they are ACTIVE, as far as their first-boot data has them do anything. */
export interface GuestSettings {
  /** From ACTIVE to the first script; scaled, as all delays are. */
  bootMs: number;
  /** How long a builder is at its work. */
  workMs: number;
  /** After which a report is tried again. */
  retryMs: number;
  /**
   * What becomes of a builder's work: done, given up with a reason, never heard of again, or cut short by the
   * machine's end.
   */
  outcome: (typeof OUTCOMES)[number];
}

export function defaultGuestSettings(): GuestSettings {
  return { bootMs: 1500, workMs: 1500, retryMs: 15_000, outcome: 'succeeds' };
}

/** @throws a sentence about what can not be set */
export function changeGuestSettings(settings: GuestSettings, change: Partial<GuestSettings>): void {
  const { bootMs, workMs, retryMs, outcome } = { ...settings, ...change };
  for (const duration of [bootMs, workMs, retryMs])
    if (!(Number.isFinite(duration) && duration >= 0))
      throw new Error('durations of guests are milliseconds');
  if (!OUTCOMES.includes(outcome)) throw new Error(`outcome of guests is one of ${OUTCOMES.join(', ')}`);
  Object.assign(settings, { bootMs, workMs, retryMs, outcome });
}
