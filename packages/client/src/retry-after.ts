const WEEKDAY = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * The seconds of a `Retry-After`, which contains a number of seconds or a date; 0 for a date that has passed.
 * Null without the header, or if it contains something else.
 */
export function retryAfterSecondsOf(headers: Headers, now = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return Math.ceil(Number(value));
  // The oldest format of dates has no zone.
  const date = WEEKDAY.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1_000));
}
