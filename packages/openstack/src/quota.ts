import type { QuotaRefusal } from './errors.ts';
import type { UpstreamMessage } from './upstream-message.ts';

/** How the services word a refusal for quota. Where several resources are over, the first is told. */
const wordings: { pattern: RegExp }[] = [
  {
    // Compute: "Quota exceeded for cores, ram: Requested 4, 8192, but already used 18, 0 of 20, 51200 cores, ram".
    pattern:
      /Quota exceeded for (?<resource>[\w ]+).*?: Requested (?<requested>\d+).*?already used (?<inUse>\d+).*? of (?<limit>\d+)/i,
  },
  {
    // Block storage, shared file system: "… exceeds allowed gigabytes quota. Requested 2000G, quota is 1000G and 5G
    // has been consumed."
    pattern:
      /exceeds allowed (?:project\/user or share type )?(?<resource>.+?) quota\. Requested (?<requested>\d+)G?, quota is (?<limit>\d+)G? and (?<inUse>\d+)G? has been consumed/i,
  },
  { pattern: /Maximum number of (?<resource>[\w ]+?) allowed \((?<limit>\d+)\)/i },
  { pattern: /Maximum number of (?<resource>[\w ]+?) exceeded/i },
  { pattern: /exceeds allowed (?:project\/user or share type )?(?<resource>.+?) quota/i },
  // Network: "Quota exceeded for resources: ['network']."; load balancer: "Quota has been met for resources: Pool".
  { pattern: /for resources?: \[?'?(?<resource>[\w ]+)/i },
  { pattern: /Quota exceeded,? (?:for|too many) (?<resource>[\w ]+)/i },
];

/** Null when the refusal was for something else. */
export function quotaRefusalOf(status: number, { kind, message }: UpstreamMessage): QuotaRefusal | null {
  if (status !== 403 && status !== 409 && status !== 413) return null;
  const text = message ?? '';
  if (/rate.?limit|\brequest\(s\)/i.test(text)) return null;
  const told = kind === 'OverQuota' || /quota|maximum number of .* (?:allowed|exceeded)/i.test(text);
  if (!told) return null;
  const groups = wordings
    .map(({ pattern }) => pattern.exec(text)?.groups)
    .find((found) => found !== undefined);
  return {
    resource: groups?.resource?.trim() ?? null,
    limit: numberOf(groups?.limit),
    inUse: numberOf(groups?.inUse),
    requested: numberOf(groups?.requested),
  };
}

/** "The quota for cores is exceeded: 20 allowed, 18 in use, 4 requested." */
export function quotaSentence(quota: QuotaRefusal): string {
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
