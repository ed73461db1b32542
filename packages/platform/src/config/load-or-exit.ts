import type { Config } from './config.ts';
import { exitOnConfigError } from './config-error.ts';
import { loadConfig } from './load.ts';

/** Loads the configuration for an entry point. If it is invalid, prints the problems and exits with 78. */
export function loadConfigOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    return exitOnConfigError(error);
  }
}
