import { CronExpressionParser } from 'cron-parser';
import { isGapTooSmall } from './is-gap-too-small.ts';

/** Why a schedule is refused. The message continues a sentence that starts with the field's name. */
export class ScheduleError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ScheduleError';
  }
}

export const MAX_SCHEDULE_LENGTH = 200;
const NO_SUCH_TIME = 'must have times and dates that exist';
const FIELD_COUNT = 5;
/** One item of a field's list. Excludes the parser's extensions of standard cron, such as random values. */
const ITEM = /^(?:\*|(?:\d{1,2}|[a-z]{3})(?:-(?:\d{1,2}|[a-z]{3}))?)(?:\/\d{1,2})?$/i;
const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Names that each field may contain. */
const NAMES: readonly (readonly string[])[] = [[], [], [], MONTH_NAMES, DAY_NAMES];
/** Days of each month in a leap year. */
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Checks a cron expression of five fields, in UTC, and returns it in normal form.
 *
 * @param minIntervalSeconds the smallest time allowed between two due times
 * @throws ScheduleError for an expression that is malformed, is never due, or is due too often
 */
export function checkSchedule(text: string, minIntervalSeconds: number): string {
  if (text.length > MAX_SCHEDULE_LENGTH) {
    throw new ScheduleError(`must have at most ${MAX_SCHEDULE_LENGTH} characters`);
  }
  const fields = text.trim().toLowerCase().split(/\s+/);
  if (fields.length !== FIELD_COUNT || !fields.every(isField)) {
    throw new ScheduleError('must be a cron expression of five fields, such as "0 3 * * *"');
  }
  const pattern = fields.join(' ');
  const parsed = parse(pattern);
  if (!canBeDue(parsed)) throw new ScheduleError(NO_SUCH_TIME);
  if (isGapTooSmall(parsed.fields, minIntervalSeconds)) {
    throw new ScheduleError(`must leave at least ${minIntervalSeconds} seconds between two due times`);
  }
  return pattern;
}

/** The first due time after this time. Times are in milliseconds since the epoch. */
export function nextDue(pattern: string, after: number): number {
  return at(pattern, after).next().getTime();
}

/** The last due time up to and including this time. */
export function latestDue(pattern: string, until: number): number {
  return at(pattern, until + 1)
    .prev()
    .getTime();
}

export function isDueTime(pattern: string, time: number): boolean {
  return latestDue(pattern, time) === time;
}

function isField(field: string, index: number): boolean {
  const names = NAMES[index] ?? [];
  return field
    .split(',')
    .every(
      (item) => ITEM.test(item) && (item.match(/[a-z]{3}/g) ?? []).every((name) => names.includes(name)),
    );
}

function parse(pattern: string) {
  try {
    return at(pattern, 0);
  } catch {
    throw new ScheduleError(NO_SUCH_TIME);
  }
}

function at(pattern: string, time: number) {
  return CronExpressionParser.parse(pattern, { tz: 'UTC', currentDate: new Date(time) });
}

/**
 * False for dates such as 31 February. With days of the week, one of them or the day of the month must match.
 */
function canBeDue({ fields }: ReturnType<typeof at>): boolean {
  if (fields.dayOfMonth.isWildcard || !fields.dayOfWeek.isWildcard) return true;
  const days = fields.dayOfMonth.values.map(Number);
  return fields.month.values.some((month) => days.some((day) => day <= (DAYS_IN_MONTH[month - 1] ?? 0)));
}
