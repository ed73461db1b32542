import { type QuotaExcess, quotaExceeded } from '@gateway/core';
import { type BoundClient, UpstreamError } from '@gateway/openstack';
import { type FileStorageQuota, presentFileStorageQuota } from '@gateway/resources';

/**
 * Runs a creation. The service refuses one that exceeds a quota without the numbers, so the gateway adds the
 * numbers to the refusal. If the project's quota does not show the limit, such as that of a share type, the
 * service's message stays.
 *
 * @throws 409 `quota_exceeded`
 */
export async function withQuotaValues<T>(
  { sharedFileSystem }: BoundClient,
  sizeGb: number,
  create: () => Promise<T>,
): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.code !== 'quota_exceeded') throw error;
    const limits = await sharedFileSystem.limits.get().catch(() => null);
    if (limits === null) throw error;
    const exceeded = exceededOf(presentFileStorageQuota(limits), sizeGb);
    if (exceeded.length === 0) throw error;
    throw quotaExceeded('The quota of the project', exceeded, { cause: error, upstream: error.upstream });
  }
}

function exceededOf(quota: FileStorageQuota, sizeGb: number): QuotaExcess[] {
  const requests = [
    ['shares', 1],
    ['gigabytes', sizeGb],
  ] as const;
  return requests.flatMap(([resource, requested]) => {
    const { limit, in_use } = quota[resource];
    return limit >= 0 && in_use + requested > limit ? { quota: resource, requested, in_use, limit } : [];
  });
}
