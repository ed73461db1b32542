import { quotaExceeded } from '@gateway/core';
import { type BoundClient, type NetworkQuota, UpstreamError } from '@gateway/openstack';

/** A project's limit on a resource, and what counts against it; a limit of -1 is unlimited. */
interface Quota {
  limit: number;
  inUse: number;
}

/** Names in error messages. `gigabytes` are those of volumes; RAM is in MB. */
type QuotaResource =
  | 'instances'
  | 'cores'
  | 'ram'
  | 'volumes'
  | 'gigabytes'
  | 'backups'
  | 'backup gigabytes'
  | 'shares'
  | 'share gigabytes'
  | 'ports'
  | 'security groups'
  | 'security group rules'
  | 'floating IPs';

/**
 * A project's quotas, as returned by the services. Resources of services that hide their quotas are missing.
 */
type Quotas = Partial<Record<QuotaResource, Quota>>;

/** The amounts that a job will use, by resource. */
export type QuotaDemand = Partial<Record<QuotaResource, number>>;

/**
 * Reads the quotas of the project from all services at once.
 *
 * @param withShares whether the job creates a share
 * @param attempt decides about a service that cannot be read; null counts as without quotas
 */
export async function readQuotas(
  client: BoundClient,
  projectId: string,
  withShares: boolean,
  attempt: (read: Promise<Quotas>) => Promise<Quotas | null> = (read) => read,
): Promise<Quotas> {
  const reads = [
    computeQuotas(client),
    readStorageQuotas(client),
    networkQuotas(client, projectId),
    ...(withShares ? [readShareQuotas(client)] : []),
  ];
  return Object.assign({}, ...(await Promise.all(reads.map(attempt)))) as Quotas;
}

/** Whether the project can have no other one. */
export function isQuotaFull(quotas: Quotas, resource: QuotaResource): boolean {
  const { limit, inUse } = quotas[resource] ?? { limit: -1, inUse: 0 };
  return limit >= 0 && inUse >= limit;
}

/**
 * Refuses a job that would exceed a quota before it creates anything. The services would refuse it halfway.
 *
 * @throws 409 `quota_exceeded`, naming each resource with its limit, in-use and requested values
 */
export function checkQuotas(quotas: Quotas, demand: QuotaDemand, whose = 'the project'): void {
  const exceeded = (Object.entries(demand) as [QuotaResource, number][]).flatMap(([resource, requested]) => {
    const { limit, inUse } = quotas[resource] ?? { limit: -1, inUse: 0 };
    const isExceeded = requested > 0 && limit >= 0 && inUse + requested > limit;
    return isExceeded ? { quota: resource, requested, in_use: inUse, limit } : [];
  });
  if (exceeded.length > 0) throw quotaExceeded(`The quota of ${whose}`, exceeded);
}

async function computeQuotas({ compute }: BoundClient): Promise<Quotas> {
  const limits = await nullIfHidden(compute.limits.get());
  if (limits === null) return {};
  return {
    instances: { limit: limits.maxTotalInstances, inUse: limits.totalInstancesUsed },
    cores: { limit: limits.maxTotalCores, inUse: limits.totalCoresUsed },
    ram: { limit: limits.maxTotalRAMSize, inUse: limits.totalRAMUsed },
  };
}

/** Quotas of volumes and backups alone. */
export async function readStorageQuotas({ blockStorage }: BoundClient): Promise<Quotas> {
  const limits = await nullIfHidden(blockStorage.limits.get());
  if (limits === null) return {};
  return {
    volumes: { limit: limits.maxTotalVolumes, inUse: limits.totalVolumesUsed },
    gigabytes: { limit: limits.maxTotalVolumeGigabytes, inUse: limits.totalGigabytesUsed },
    backups: { limit: limits.maxTotalBackups, inUse: limits.totalBackupsUsed },
    'backup gigabytes': { limit: limits.maxTotalBackupGigabytes, inUse: limits.totalBackupGigabytesUsed },
  };
}

async function networkQuotas({ network }: BoundClient, projectId: string): Promise<Quotas> {
  const quotas = await nullIfHidden(network.quotas.get(projectId));
  if (quotas === null) return {};
  return {
    ...(quotas.port && { ports: networkQuota(quotas.port) }),
    ...(quotas.security_group && { 'security groups': networkQuota(quotas.security_group) }),
    ...(quotas.security_group_rule && { 'security group rules': networkQuota(quotas.security_group_rule) }),
    ...(quotas.floatingip && { 'floating IPs': networkQuota(quotas.floatingip) }),
  };
}

function networkQuota({ limit, used, reserved }: NetworkQuota): Quota {
  return { limit, inUse: used + reserved };
}

/** Quotas of shares alone. */
export async function readShareQuotas({ sharedFileSystem }: BoundClient): Promise<Quotas> {
  const limits = await nullIfHidden(sharedFileSystem.limits.get());
  if (limits === null) return {};
  return {
    shares: { limit: limits.maxTotalShares, inUse: limits.totalSharesUsed },
    'share gigabytes': { limit: limits.maxTotalShareGigabytes, inUse: limits.totalShareGigabytesUsed },
  };
}

/**
 * Response statuses of a cloud that hides quotas from members, or has none. Its services still enforce their
 * own quotas.
 */
const HIDDEN_STATUSES = [403, 404, 501];

async function nullIfHidden<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof UpstreamError && HIDDEN_STATUSES.includes(error.upstreamStatus ?? 0)) return null;
    throw error;
  }
}
