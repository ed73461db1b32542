/** The exit code of a process whose configuration is bad (`EX_CONFIG`): a supervisor need not try again. */
export const CONFIG_EXIT_CODE = 78;

/** Tells what is wrong, a sentence to a line, fit to be shown as it is; never with a secret's value. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.map((fault) => `Configuration: ${fault}.`).join('\n'));
    this.name = 'ConfigError';
  }
}

/** Ends the process with 78 and the sentences on stderr when the error is a `ConfigError`; throws any other. */
export function exitOnConfigError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(CONFIG_EXIT_CODE);
}
