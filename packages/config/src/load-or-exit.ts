import type { Config } from './config.ts';
import { exitOnConfigError } from './config-error.ts';
import { loadConfig } from './load.ts';

/** The configuration, for entry points: a bad one ends the process with 78 and says what is wrong. */
export function loadConfigOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    return exitOnConfigError(error);
  }
}
