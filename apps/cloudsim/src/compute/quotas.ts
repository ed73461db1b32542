import { forbidden } from '../common/service-error.ts';
import type { ComputeState } from './state.ts';

export type Limits = Record<string, number>;

export const DEFAULT_LIMITS: Limits = {
  cores: 20,
  fixed_ips: -1,
  floating_ips: -1,
  injected_file_content_bytes: 10240,
  injected_file_path_bytes: 255,
  injected_files: 5,
  instances: 10,
  key_pairs: 100,
  metadata_items: 128,
  ram: 51200,
  security_group_rules: -1,
  security_groups: -1,
  server_group_members: 10,
  server_groups: 10,
};

export function computeLimits(compute: ComputeState, projectId: string): Limits {
  return { ...DEFAULT_LIMITS, ...compute.quotas.get(projectId) };
}

export function computeUsage(
  compute: ComputeState,
  projectId: string,
): { instances: number; cores: number; ram: number } {
  const usage = { instances: 0, cores: 0, ram: 0 };
  for (const server of compute.servers.values()) {
    if (server.projectId !== projectId) continue;
    usage.instances += 1;
    usage.cores += server.flavor.vcpus;
    usage.ram += server.flavor.ramMb;
  }
  return usage;
}

/** The error message names each exceeded resource, with the requested amount and the usage. */
export function requireComputeQuota(compute: ComputeState, projectId: string, requested: Limits): void {
  const limits = computeLimits(compute, projectId);
  const usage: Limits = computeUsage(compute, projectId);
  const over = Object.keys(requested).filter((key) => {
    const limit = limits[key] ?? -1;
    return limit >= 0 && (usage[key] ?? 0) + (requested[key] ?? 0) > limit;
  });
  if (over.length === 0) return;
  const column = (values: Limits) => over.map((key) => values[key]).join(', ');
  throw forbidden(
    `Quota exceeded for ${over.join(', ')}: Requested ${column(requested)}, but already used ${column(usage)} of ${column(limits)} ${over.join(', ')}`,
  );
}
