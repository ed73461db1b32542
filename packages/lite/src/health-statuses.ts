export const HEALTH_STATUSES = ['HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNREACHABLE', 'UNKNOWN'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** From the worst to the best. The worst of a plugin's workloads decides. */
export const PLUGIN_HEALTH_STATUSES = ['missing', 'failed', 'progressing', 'available'] as const;
export type PluginHealthStatus = (typeof PLUGIN_HEALTH_STATUSES)[number];

/** Which address of the control node the gateway uses. */
export const REACHABILITIES = ['floating_ip', 'fixed_ip', 'none'] as const;
export type Reachability = (typeof REACHABILITIES)[number];
