import type { ServerUsage } from '@gateway/openstack';
import type { Usage } from './usage-shape.ts';

/** Computed here, because the service returns only the totals of each page. */
export function presentUsage(days: Pick<Usage, 'start' | 'end'>, servers: readonly ServerUsage[]): Usage {
  const total = (value: (server: ServerUsage) => number) =>
    servers.reduce((sum, server) => sum + server.hours * value(server), 0);
  return {
    start: days.start,
    end: days.end,
    total_hours: total(() => 1),
    total_vcpus_usage: total(({ vcpus }) => vcpus),
    total_memory_mb_usage: total(({ memory_mb }) => memory_mb),
    total_local_gb_usage: total(({ local_gb }) => local_gb),
    server_usages: servers.map(({ instance_id, name, state, vcpus, memory_mb, local_gb, hours }) => ({
      instance_id,
      name,
      state,
      vcpus,
      memory_mb,
      local_gb,
      hours,
    })),
  };
}
