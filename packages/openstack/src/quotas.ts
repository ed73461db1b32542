import type { z } from 'zod';
import { integerOr, part } from './records/fields.ts';
import { answeredValues, requireTaken } from './require-taken.ts';
import type { ServiceClient } from './service.ts';

/** A quota of a project and its usage. One that the service does not say limits nothing. */
export function quotaUsage() {
  return part({
    /** -1 is unlimited. */
    limit: integerOr(-1),
    in_use: integerOr(0),
    /** Reserved by requests in progress. */
    reserved: integerOr(0),
  });
}

export type QuotaUsage = z.output<ReturnType<typeof quotaUsage>>;

/** Names that are unique across the services, with the names that the service itself has. */
type QuotaNames<Name extends string> = Readonly<Record<Name, string>>;

/** Without a quota of that name, the service lacks the resource, so that none can be created. */
export function underUniqueNames<Name extends string>(
  names: QuotaNames<Name>,
  quotas: Record<string, QuotaUsage | undefined>,
): Record<Name, QuotaUsage> {
  const none: QuotaUsage = { limit: 0, in_use: 0, reserved: 0 };
  const entries = Object.entries<string>(names).map(([name, own]) => [name, quotas[own] ?? none]);
  return Object.fromEntries(entries) as Record<Name, QuotaUsage>;
}

export function underOwnNames<Name extends string>(
  names: QuotaNames<Name>,
  limits: Partial<Record<Name, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries<number>(limits as Record<Name, number>).map(([name, limit]) => [
      names[name as Name],
      limit,
    ]),
  );
}

interface LimitsUpdate {
  /** With the project. */
  path: string;
  /** The name of the limits in the body. */
  key: 'quota' | 'quota_set';
  /** Under the names that the service has; -1 is unlimited. */
  limits: Readonly<Record<string, number>>;
  /** Accepts limits below the usage; without it some services throw a 400. */
  force?: boolean;
}

/** @throws 409 if the service has accepted the limits, and has others */
export async function updateLimits(
  service: ServiceClient,
  { force = false, key, limits, path }: LimitsUpdate,
): Promise<void> {
  const answered = await service.putRecord('quotas.update', path, key, answeredValues, {
    body: { [key]: { ...limits, ...(force && { force }) } },
    idempotent: true,
  });
  requireTaken(service.service, limits, answered);
}
