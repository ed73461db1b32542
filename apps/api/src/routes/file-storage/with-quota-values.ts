import { quotaExceeded } from '@gateway/core';
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
    const exceeded = describe(presentFileStorageQuota(limits), sizeGb);
    throw exceeded === null ? error : quotaExceeded(exceeded, { cause: error, upstream: error.upstream });
  }
}

function describe(quota: FileStorageQuota, sizeGb: number): string | null {
  const exceeded = (
    [
      ['shares', 1],
      ['gigabytes', sizeGb],
    ] as const
  ).flatMap(([resource, requested]) => {
    const { limit, in_use } = quota[resource];
    const isExceeded = limit >= 0 && in_use + requested > limit;
    return isExceeded ? `${resource}: ${requested} requested, ${in_use} of ${limit} in use` : [];
  });
  return exceeded.length === 0 ? null : `The quota of the project is exceeded (${exceeded.join('; ')}).`;
}
