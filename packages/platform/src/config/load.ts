import type Joi from 'joi';
import { checkAptKeys } from './check-apt-keys.ts';
import { checkCaFile, checkPublicCaFile } from './check-ca-file.ts';
import { checkInterpreters } from './check-interpreters.ts';
import { checkLibraries } from './check-libraries.ts';
import { checkLiteNetworks } from './check-lite-networks.ts';
import { checkRedis } from './check-redis.ts';
import { checkSession } from './check-session.ts';
import { checkSisters } from './check-sisters.ts';
import { checkSso } from './check-sso.ts';
import { checkKeyPair, checkTlsFiles } from './check-tls-files.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { defaultConstraints } from './default-constraints.ts';
import { withDefaultInterpreters } from './default-interpreters.ts';
import { DEFAULT_LIBRARIES } from './default-libraries.ts';
import { applyVariables, type Environment, processEnvironment, variable, variableFor } from './env.ts';
import { type ConfigFile, fileOf, mergeFiles, readConfigFiles } from './files.ts';
import { readRegistryCredentials } from './registry-credentials.ts';
import { withSecretFiles } from './secret-files.ts';
import { readSecrets } from './secrets.ts';
import { gone } from './settings/gone.ts';
import { settings } from './settings/index.ts';

/**
 * Loads the configuration. The environment takes precedence over the YAML file that `GATEWAY_CONFIG` names,
 * or the files in its folder, and these over the defaults. Throws one `ConfigError` with all problems, or
 * with those of files with secrets alone.
 */
export function loadConfig(given: Environment = processEnvironment()): Config {
  const problems: string[] = [];
  const environment = withSecretFiles(given, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  const path = variable(environment, 'GATEWAY_CONFIG');
  const files = path === undefined ? [] : readConfigFiles(path);
  const tree = applyVariables(mergeFiles(files), environment);
  const checked = settings.validate(tree, { abortEarly: false, messages: MESSAGES });

  problems.push(
    ...(checked.error?.details ?? []).map((detail) => describeProblem(detail, environment, files)),
  );
  const secrets = readSecrets(environment, hasSection(tree.service_user), problems);
  if (checked.error !== undefined) throw new ConfigError(problems);

  const config = toCamelCase(checked.value) as Omit<Config, 'secrets'>;
  config.redis.cacheUrl ??= config.redis.url;
  config.libraries ??= structuredClone([...DEFAULT_LIBRARIES]);
  problems.push(...checkInterpreters(config.builds.interpreters));
  config.builds.interpreters = withDefaultInterpreters(config.builds.interpreters);
  config.builds.constraints ??= defaultConstraints(config.libraries);
  problems.push(
    ...checkRedis(config.redis, secrets.sentinelPassword),
    ...checkSession(config.session),
    ...checkSisters(config),
    ...checkSso(config),
    ...checkLiteNetworks(config.lite),
    ...checkLibraries(config.libraries, config.builds.interpreters),
    ...checkTlsFiles('identity', config.identity),
    ...checkKeyPair('listen', config.listen),
    ...checkCaFile('audit.stream.ca_file', config.audit.stream.caFile),
    ...checkPublicCaFile('public_endpoint.ca_file', config.publicEndpoint.caFile),
    ...checkPublicCaFile('first_boot.ca_file', config.firstBoot.caFile),
    ...checkAptKeys(config.firstBoot.aptSources),
  );
  const registryCredentials = readRegistryCredentials(config.lite.k3s, environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...config, secrets: { ...secrets, registryCredentials } };
}

const MESSAGES = {
  'object.unknown': '{{#label}} is not a known key',
  'object.base': '{{#label}} must contain keys and values',
};

function hasSection(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The schema's message, and where the value is set or can be set. */
function describeProblem(
  { message, path, type }: Joi.ValidationErrorItem,
  environment: Environment,
  files: readonly ConfigFile[],
): string {
  const inFile = `(in ${fileOf(path, files) ?? 'the file named by GATEWAY_CONFIG'})`;
  const reason = gone[path.join('.')];
  if (reason !== undefined) return `"${path.join('.')}" is gone: ${reason} ${inFile}`;
  const name = variableFor(path.join('.'));
  if (name !== undefined && variable(environment, name) !== undefined) return `${message} (from ${name})`;
  if (type === 'any.required' && name !== undefined) {
    return `${message} (set ${name}, or the key in the file named by GATEWAY_CONFIG)`;
  }
  return `${message} ${inFile}`;
}

/** Converts all keys to camelCase, which is safe because users choose no keys of the tree. */
function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, nested]) => [camelCaseKey(key), toCamelCase(nested)]),
  );
}

export function camelCaseKey(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
