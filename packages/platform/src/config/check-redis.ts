import { checkTlsFiles } from './check-tls-files.ts';
import type { RedisConfig } from './config.ts';

/** Problems of combined settings. */
export function checkRedis(redis: RedisConfig, sentinelPassword: string | null): string[] {
  const { url, sentinels, sentinelName, sentinelUsername, clusterNodes } = redis;
  const problems = checkTlsFiles('redis', redis);
  problems.push(...checkTlsUse(redis));
  if (sentinelUsername !== null && sentinelPassword === null) {
    problems.push('REDIS_SENTINEL_PASSWORD must be set if "redis.sentinel_username" is set');
  }
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

/** Without TLS, these keys would have no effect, which nobody should find out later. */
function checkTlsUse({ url, cacheUrl, caFile, certFile, serverName }: RedisConfig): string[] {
  const isTls = (address: string) => /^rediss:/i.test(address);
  const problems: string[] = [];
  if (!isTls(url) && !isTls(cacheUrl)) {
    for (const [key, path] of Object.entries({ ca_file: caFile, cert_file: certFile })) {
      if (path !== null) problems.push(`"redis.url" must begin with rediss: if "redis.${key}" is set`);
    }
  }
  if (!isTls(url) && serverName !== null) {
    problems.push('"redis.url" must begin with rediss: if "redis.server_name" is set');
  }
  return problems;
}
