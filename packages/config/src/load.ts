import type { Config } from './config.ts';

/** The variables of a process. */
export type Environment = Record<string, string | undefined>;

/**
 * The configuration from the YAML file that `GATEWAY_CONFIG` names (if it does), the environment, which wins,
 * and the defaults. Throws `ConfigError`.
 */
export function loadConfig(_environment?: Environment): Config {
  throw new Error('Not built yet.');
}
