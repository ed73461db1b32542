import type { ServiceMessage } from './service-message.ts';

/** What the service reported about the exceeded quota; null for missing values. */
export interface ExceededQuota {
  resource: string | null;
  limit: number | null;
  inUse: number | null;
  requested: number | null;
}

/**
 * The services report an exceeded quota only in a sentence. Each value has patterns of its own. If the
 * sentence names several resources, the first counts.
 *
 * - Compute: "Quota exceeded for cores, ram: Requested 4, 8192, but already used 18, 0 of 20, 51200 cores,
 *   ram", "Maximum number of key pairs exceeded", "Quota exceeded, too many key pairs".
 * - Block storage, shared file system: "… exceeds allowed gigabytes quota. Requested 2000G, quota is 1000G
 *   and 5G has been consumed.", "… exceeds allowed Backup gigabytes quota. …", "Maximum number of volumes
 *   allowed (10) exceeded", "Requested volume size 20G is larger than maximum allowed limit 10G."; a share
 *   has sizes without a unit.
 * - Network: "Quota exceeded for resources: ['network']."; load balancer: "Quota has been
 *   met for resources: Pool".
 * - Container infrastructure: "You have reached the maximum clusters per project, 20."
 * - Limits in the identity service, in compute and image: "Project … is over a limit for [Resource servers is
 *   over limit of 10 due to current usage 10 and delta 1]".
 */
const PATTERNS = {
  resource: [
    /for resources?: \[?'?([\w ]+)/i,
    /Quota exceeded,? (?:for|too many) ([\w ]+)/i,
    /exceeds allowed (?:project\/user or share type )?((?:Backup )?[\w-]+)/i,
    /Maximum number of ([\w ]+)/i,
    /reached the maximum (\w+) per project/i,
    /Requested ((?:volume|share) size) \d+G? is larger than/i,
    /Resource (?:class:)?(\w+) is over limit/i,
  ],
  requested: [/Requested (?:(?:volume|share) size )?(\d+)/i, / and delta (\d+)/i],
  inUse: [/already used (\d+)/i, /and (\d+)G? has been consumed/i, /due to current usage (\d+)/i],
  limit: [
    /already used \d+(?:, \d+)* of (\d+)/i,
    /quota is (\d+)/i,
    /allowed \((\d+)\)/i,
    /maximum allowed limit (\d+)/i,
    /reached the maximum \w+ per project, (\d+)/i,
    /is over limit of (\d+)/i,
  ],
};

/** Null if the service rejected the request for another reason. */
export function parseExceededQuota(status: number, { kind, message }: ServiceMessage): ExceededQuota | null {
  if (status !== 403 && status !== 409 && status !== 413) return null;
  const text = message ?? '';
  if (/rate.?limit|\brequest\(s\)/i.test(text)) return null;
  const isQuota =
    kind === 'OverQuota' ||
    /quota|maximum allowed limit|reached the maximum \w+ per project|is over limit of/i.test(text) ||
    (/maximum number of /i.test(text) && / allowed| exceeded/i.test(text));
  if (!isQuota) return null;
  return {
    resource:
      firstGroup(text, PATTERNS.resource)
        ?.replace(/ (?:allowed|exceeded).*/i, '')
        .trim() ?? null,
    limit: numberOf(firstGroup(text, PATTERNS.limit)),
    inUse: numberOf(firstGroup(text, PATTERNS.inUse)),
    requested: numberOf(firstGroup(text, PATTERNS.requested)),
  };
}

function firstGroup(text: string, patterns: RegExp[]): string | undefined {
  return patterns.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
}

/** "The quota for cores is exceeded: 20 allowed, 18 in use, 4 requested." */
export function describeExceededQuota(quota: ExceededQuota): string {
  const values = [
    quota.limit === null ? null : `${quota.limit} allowed`,
    quota.inUse === null ? null : `${quota.inUse} in use`,
    quota.requested === null ? null : `${quota.requested} requested`,
  ].filter((value) => value !== null);
  const what = quota.resource === null ? 'A quota' : `The quota for ${quota.resource}`;
  return values.length === 0 ? `${what} is exceeded.` : `${what} is exceeded: ${values.join(', ')}.`;
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
