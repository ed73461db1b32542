import type { RedisConfig } from './config.ts';

/** Sentences about ways to reach the store that do not go together. */
export function checkRedis({ url, sentinels, sentinelName, clusterNodes }: RedisConfig): string[] {
  const sentences: string[] = [];
  if (sentinels.length > 0 && clusterNodes.length > 0) {
    sentences.push(
      '"redis.sentinels" and "redis.cluster_nodes" can not both be set: a Cluster has no Sentinels',
    );
  }
  if (sentinels.length > 0 && sentinelName === null) {
    sentences.push('"redis.sentinel_name" must be set, as there are "redis.sentinels"');
  }
  if (sentinels.length === 0 && sentinelName !== null) {
    sentences.push('"redis.sentinels" must be set, as there is a "redis.sentinel_name"');
  }
  if (clusterNodes.length > 0 && !['', '/', '/0'].includes(new URL(url).pathname)) {
    sentences.push(
      '"redis.url" must name no database, as there are "redis.cluster_nodes": a Cluster has one only',
    );
  }
  for (const [key, servers] of Object.entries({ sentinels, cluster_nodes: clusterNodes })) {
    const wrong = servers.findIndex((server) => Number(server.slice(server.lastIndexOf(':') + 1)) > 65_535);
    if (wrong >= 0) sentences.push(`"redis.${key}[${wrong}]" must have a port up to 65535`);
  }
  return sentences;
}
