import type { CronFieldCollection } from 'cron-parser';

const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * 60_000;
/** After 28 years the days of the week repeat on the same dates. */
const CYCLE_DAYS = 28 * 365 + 7;
const CYCLE_START = Date.UTC(2024, 0, 1);

/**
 * Whether two consecutive due times are closer than allowed: within a day, or from the last of one day to the
 * first of a later one. Takes a few milliseconds at most.
 */
export function isGapTooSmall(fields: CronFieldCollection, minSeconds: number): boolean {
  const minMinutes = minSeconds / 60;
  const times = fields.hour.values.flatMap((hour) =>
    fields.minute.values.map((minute) => hour * 60 + minute),
  );
  if (times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < minMinutes)) return true;
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const minDays = Math.ceil((minMinutes + last - first) / DAY_MINUTES);
  return minDays > 1 && hasDaysCloserThan(fields, minDays);
}

/** Whether two consecutive days of the schedule are fewer days apart. */
function hasDaysCloserThan(fields: CronFieldCollection, minDays: number): boolean {
  const isDay = dayMatcher(fields);
  let previous = Number.NEGATIVE_INFINITY;
  for (let day = 0; day <= CYCLE_DAYS; day += 1) {
    if (!isDay(new Date(CYCLE_START + day * DAY_MS))) continue;
    if (day - previous < minDays) return true;
    previous = day;
  }
  return false;
}

/** Like the parser: if both kinds of days are restricted, one of them must match, otherwise both. */
function dayMatcher({ dayOfMonth, dayOfWeek, month }: CronFieldCollection): (date: Date) => boolean {
  const months = new Set(month.values.map((value) => value - 1));
  const daysOfMonth = new Set(dayOfMonth.values.map(Number));
  const daysOfWeek = new Set(dayOfWeek.values.map((value) => Number(value) % 7));
  const needsBoth = dayOfMonth.isWildcard || dayOfWeek.isWildcard;
  return (date) => {
    if (!months.has(date.getUTCMonth())) return false;
    const [ofMonth, ofWeek] = [daysOfMonth.has(date.getUTCDate()), daysOfWeek.has(date.getUTCDay())];
    return needsBoth ? ofMonth && ofWeek : ofMonth || ofWeek;
  };
}
