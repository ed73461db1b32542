import type { UsagePeriod } from '@gateway/openstack';
import Joi from 'joi';
import { DATE } from '../../http/schemas/fields.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** Days as `YYYY-MM-DD`, in UTC. */
export interface UsageQuery {
  start?: string;
  end?: string;
}

type UsageDays = Required<UsageQuery>;

export const usageQuery = Joi.object<UsageQuery, true>({
  start: day().description(`First day, in UTC. Default: ${DEFAULT_DAYS} days before the last one.`),
  end: day().description('Last day, in UTC. Default: today.'),
});

function day() {
  return Joi.string()
    .pattern(DATE)
    .custom((text: string, helpers) =>
      dayOf(Date.parse(text)) === text ? text : helpers.error('day.unknown'),
    )
    .messages({
      'string.pattern.base': 'must be a day as YYYY-MM-DD',
      'day.unknown': 'must be a day that exists',
    });
}

/** The requested days, or the last 30 before `now`. */
export function usageDays({ start, end }: UsageQuery, now: number): UsageDays {
  const last = end ?? dayOf(now) ?? '';
  return { start: start ?? dayOf(Date.parse(last) - DEFAULT_DAYS * DAY_MS) ?? '', end: last };
}

/**
 * From the start of the first day to the end of the last, but not beyond now; null if that is in the future.
 */
export function usagePeriod({ start, end }: UsageDays, now: number): UsagePeriod | null {
  const startMs = Date.parse(start);
  const endMs = Math.min(Date.parse(end) + DAY_MS, now);
  return startMs < endMs ? { start: new Date(startMs), end: new Date(endMs) } : null;
}

/** Null for a day that does not exist. */
function dayOf(ms: number): string | null {
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().slice(0, 10);
}
