/** Settings that became constants, with the reason. A process does not start with one of them. */
export const gone: Readonly<Record<string, string>> = {
  'instances.workspace_keep_seconds':
    'the status of a workspace is kept for 400 days after its last report, which each start of the instance renews',
  'lite.health.keep_seconds':
    'a result of a health check is kept for two intervals of "lite.health.interval_seconds", at least for 600 seconds',
  'time_limits.attach_seconds':
    'a volume is attached or detached within seconds, or never; the gateway waits for 180 seconds',
};
