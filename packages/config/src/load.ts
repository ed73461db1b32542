import type Joi from 'joi';
import { SHIPPED_LIBRARIES } from './catalogue.ts';
import { checkAuthority } from './check-authority.ts';
import { checkLibraries } from './check-libraries.ts';
import { checkRedis } from './check-redis.ts';
import { checkSession } from './check-session.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { type Environment, processEnvironment, variable, variableFor, withVariables } from './env.ts';
import { readConfigFile } from './file.ts';
import { configSchema } from './schema.ts';
import { readSecrets } from './secrets.ts';

/**
 * The configuration from the YAML file that `GATEWAY_CONFIG` names (if it does), the environment, which wins,
 * and the defaults. Throws one `ConfigError` for all that is wrong.
 */
export function loadConfig(environment: Environment = processEnvironment()): Config {
  const path = variable(environment, 'GATEWAY_CONFIG');
  const tree = withVariables(path === undefined ? {} : readConfigFile(path), environment);
  const checked = configSchema.validate(tree, { abortEarly: false, messages: MESSAGES });

  const faults = (checked.error?.details ?? []).map((detail) => sentence(detail, environment));
  const secrets = readSecrets(environment, hasSection(tree.service_user), faults);
  if (checked.error !== undefined) throw new ConfigError(faults);

  // The schema has the type's tree and gives every key its value; the tests hold the two together.
  const config = camelCased(checked.value) as Omit<Config, 'secrets'>;
  config.redis.cacheUrl ??= config.redis.url;
  config.libraries ??= structuredClone([...SHIPPED_LIBRARIES]);
  faults.push(
    ...checkRedis(config.redis),
    ...checkSession(config.session),
    ...checkLibraries(config.libraries),
    ...checkAuthority(config.http),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return { ...config, secrets };
}

const MESSAGES = {
  'object.unknown': '{{#label}} is not a known key',
  'object.base': '{{#label}} must hold keys and values',
};

function hasSection(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The schema's sentence, and where the value came from or can be set. */
function sentence({ message, path, type }: Joi.ValidationErrorItem, environment: Environment): string {
  const name = variableFor(path.join('.'));
  if (name !== undefined && variable(environment, name) !== undefined) return `${message} (from ${name})`;
  if (type === 'any.required' && name !== undefined) {
    return `${message} (set ${name}, or the key in the file named by GATEWAY_CONFIG)`;
  }
  return `${message} (in the file named by GATEWAY_CONFIG)`;
}

/** The tree with its keys in camelCase. No key of the tree is a person's choice. */
function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, below]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      camelCased(below),
    ]),
  );
}
