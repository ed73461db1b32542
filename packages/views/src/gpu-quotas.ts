import type { QuotaValue } from './file-storage-quota.ts';

/** The gateway's own quotas of GPUs: the cloud has none. */
export interface GpuQuota extends QuotaValue {
  /** -1 is unlimited. */
  available: number;
  source: 'project' | 'default';
}

/** By GPU type. A type without an entry is unlimited. */
export type GpuQuotas = Record<string, GpuQuota>;

/** No endpoint sets GPU quotas yet, so every type is unlimited. */
export async function readGpuQuotas(_projectId: string): Promise<GpuQuotas> {
  return {};
}

/** How many of the available GPUs of a type the project may still use. */
export function capByQuota(quotas: GpuQuotas, type: string, available: number): number {
  const wanted = normalized(type);
  const quota = Object.entries(quotas).find(([name]) => normalized(name) === wanted)?.[1];
  return quota === undefined || quota.available < 0 ? available : Math.min(available, quota.available);
}

/** Types are compared without case, blanks, hyphens and underscores. */
function normalized(type: string): string {
  return type.toLowerCase().replace(/[\s_-]/g, '');
}
