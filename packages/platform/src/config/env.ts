/** The environment variables of a process. */
export type Environment = Record<string, string | undefined>;

/** The only place that reads `process.env`. */
export function processEnvironment(): Environment {
  return process.env;
}

/** The value of a variable; an empty value counts as not set. */
export function variable(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}

/** Variables that override a key of the file. */
export const VARIABLES: Record<string, readonly [section: string, key: string]> = {
  GATEWAY_NAME: ['gateway', 'name'],
  OS_AUTH_URL: ['identity', 'url'],
  OS_REGION_NAME: ['identity', 'region'],
  OS_INTERFACE: ['identity', 'interface'],
  OS_CACERT: ['identity', 'ca_file'],
  OS_CERT: ['identity', 'cert_file'],
  OS_KEY: ['identity', 'key_file'],
  GATEWAY_UPSTREAM_PROXY: ['upstream', 'proxy'],
  GATEWAY_UPSTREAM_NO_PROXY: ['upstream', 'no_proxy'],
  GATEWAY_SERVICE_USERNAME: ['service_user', 'username'],
  GATEWAY_SERVICE_PROJECT: ['service_user', 'project_name'],
  REDIS_URL: ['redis', 'url'],
  REDIS_SENTINELS: ['redis', 'sentinels'],
  REDIS_SENTINEL_NAME: ['redis', 'sentinel_name'],
  REDIS_SENTINEL_USERNAME: ['redis', 'sentinel_username'],
  REDIS_CLUSTER_NODES: ['redis', 'cluster_nodes'],
  REDIS_KEY_PREFIX: ['redis', 'key_prefix'],
  REDIS_WAIT_FOR_REPLICAS: ['redis', 'wait_for_replicas'],
  CACHE_REDIS_URL: ['redis', 'cache_url'],
  HOST: ['listen', 'host'],
  PORT: ['listen', 'api_port'],
  WORKER_PORT: ['listen', 'worker_port'],
  TLS_CERT_FILE: ['listen', 'cert_file'],
  TLS_KEY_FILE: ['listen', 'key_file'],
  WORKER_QUEUES: ['jobs', 'queues'],
  GATEWAY_OLD_STORE_SECONDS: ['jobs', 'old_store_seconds'],
  GATEWAY_PUBLIC_URL: ['public_endpoint', 'url'],
  GATEWAY_BUILD_IMAGE: ['builds', 'image'],
  GATEWAY_BUILD_FLAVOR: ['builds', 'flavor'],
  GATEWAY_BUILD_NETWORK: ['builds', 'network'],
  GATEWAY_LITE_IMAGE: ['lite', 'image'],
  GATEWAY_LITE_SERVER_FLAVOR: ['lite', 'server_flavor'],
  GATEWAY_LITE_AGENT_FLAVOR: ['lite', 'agent_flavor'],
  GATEWAY_LITE_USE_REPORTED_ADDRESS: ['lite', 'use_reported_address'],
  GATEWAY_LITE_NEVER_CONTACTED: ['lite', 'never_contacted'],
  GATEWAY_OPS_ENABLED: ['ops', 'enabled'],
  LOG_LEVEL: ['log', 'level'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['tracing', 'endpoint'],
  OTEL_TRACES_SAMPLER_ARG: ['tracing', 'sample_ratio'],
};

/** Variables with comma-separated values. */
const LISTS = new Set([
  'GATEWAY_UPSTREAM_NO_PROXY',
  'WORKER_QUEUES',
  'REDIS_SENTINELS',
  'REDIS_CLUSTER_NODES',
  'GATEWAY_LITE_NEVER_CONTACTED',
]);

/** A copy of the file's tree in which environment variables override keys. */
export function applyVariables(
  tree: Record<string, unknown>,
  environment: Environment,
): Record<string, unknown> {
  const merged = { ...tree };
  for (const [name, [section, key]] of Object.entries(VARIABLES)) {
    const text = variable(environment, name);
    if (text === undefined) continue;
    const current = merged[section];
    // The schema rejects a section of the wrong type.
    if (current !== undefined && current !== null && (typeof current !== 'object' || Array.isArray(current)))
      continue;
    const value = LISTS.has(name) ? text.split(',').map((item) => item.trim()) : text;
    merged[section] = { ...current, [key]: value };
  }
  return merged;
}

/**
 * The variable that overrides a key, such as `identity.url`, or contains a value inside it,
 * such as `jobs.queues.0`.
 */
export function variableFor(path: string): string | undefined {
  return Object.keys(VARIABLES).find((name) => `${path}.`.startsWith(`${VARIABLES[name]?.join('.')}.`));
}
