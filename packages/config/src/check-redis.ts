import type { RedisConfig } from './process-config.ts';

/** Problems of combined settings. */
export function checkRedis({ url, sentinels, sentinelName, clusterNodes }: RedisConfig): string[] {
  const problems: string[] = [];
  if (sentinels.length > 0 && clusterNodes.length > 0) {
    problems.push(
      '"redis.sentinels" and "redis.cluster_nodes" cannot both be set: a Cluster has no Sentinels',
    );
  }
  if (sentinels.length > 0 && sentinelName === null) {
    problems.push('"redis.sentinel_name" must be set if "redis.sentinels" is set');
  }
  if (sentinels.length === 0 && sentinelName !== null) {
    problems.push('"redis.sentinels" must be set if "redis.sentinel_name" is set');
  }
  if (clusterNodes.length > 0 && !['', '/', '/0'].includes(new URL(url).pathname)) {
    problems.push(
      '"redis.url" must name no database if "redis.cluster_nodes" is set: a Cluster has only one',
    );
  }
  for (const [key, servers] of Object.entries({ sentinels, cluster_nodes: clusterNodes })) {
    const invalid = servers.findIndex((server) => Number(server.slice(server.lastIndexOf(':') + 1)) > 65_535);
    if (invalid >= 0) problems.push(`"redis.${key}[${invalid}]" must have a port up to 65535`);
  }
  return problems;
}
