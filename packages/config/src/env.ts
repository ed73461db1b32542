/** The variables of a process. */
export type Environment = Record<string, string | undefined>;

/** The one place where the process's environment is read. */
export function processEnvironment(): Environment {
  return process.env;
}

/** A variable's text; set to nothing is not set. */
export function variable(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}

/** Variables that stand for a key of the file, and win over it. */
export const VARIABLES: Record<string, readonly [section: string, key: string]> = {
  OS_AUTH_URL: ['identity', 'url'],
  OS_REGION_NAME: ['identity', 'region'],
  OS_INTERFACE: ['identity', 'interface'],
  OS_CACERT: ['identity', 'ca_file'],
  GATEWAY_SERVICE_USERNAME: ['service_user', 'username'],
  GATEWAY_SERVICE_PROJECT: ['service_user', 'project_name'],
  REDIS_URL: ['redis', 'url'],
  REDIS_SENTINELS: ['redis', 'sentinels'],
  REDIS_SENTINEL_NAME: ['redis', 'sentinel_name'],
  REDIS_CLUSTER_NODES: ['redis', 'cluster_nodes'],
  REDIS_REPLICAS_TO_CONFIRM: ['redis', 'replicas_to_confirm'],
  CACHE_REDIS_URL: ['redis', 'cache_url'],
  HOST: ['listen', 'host'],
  PORT: ['listen', 'api_port'],
  WORKER_PORT: ['listen', 'worker_port'],
  WORKER_QUEUES: ['jobs', 'queues'],
  GATEWAY_PUBLIC_URL: ['http', 'public_url'],
  GATEWAY_BUILD_IMAGE: ['builds', 'image'],
  GATEWAY_BUILD_FLAVOR: ['builds', 'flavor'],
  GATEWAY_BUILD_NETWORK: ['builds', 'network'],
  LOG_LEVEL: ['log', 'level'],
};

/** Variables that hold several values, parted by commas. */
const LISTS = new Set(['WORKER_QUEUES', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES']);

/** The file's tree with what the environment says put over it. */
export function withVariables(
  tree: Record<string, unknown>,
  environment: Environment,
): Record<string, unknown> {
  const merged = { ...tree };
  for (const [name, [section, key]] of Object.entries(VARIABLES)) {
    const text = variable(environment, name);
    if (text === undefined) continue;
    const below = merged[section];
    // A section of the wrong kind is left for the schema to refuse.
    if (below !== undefined && below !== null && (typeof below !== 'object' || Array.isArray(below)))
      continue;
    const value = LISTS.has(name) ? text.split(',').map((item) => item.trim()) : text;
    merged[section] = { ...below, [key]: value };
  }
  return merged;
}

/** The variable that stands for a key, as `identity.url`, or for what is below it, as `jobs.queues.0`. */
export function variableFor(path: string): string | undefined {
  return Object.keys(VARIABLES).find((name) => `${path}.`.startsWith(`${VARIABLES[name]?.join('.')}.`));
}
