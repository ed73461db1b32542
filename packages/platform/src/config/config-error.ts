/**
 * Exit code for an invalid configuration (`EX_CONFIG`). A supervisor should not restart the process after it.
 */
const CONFIG_EXIT_CODE = 78;

/** Lists all problems of the configuration, one per line. Never contains the value of a secret. */
export class ConfigError extends Error {
  /** Of a process that finds the problems after its start has begun. */
  readonly exitCode = CONFIG_EXIT_CODE;

  constructor(problems: readonly string[]) {
    super(problems.map((problem) => `Configuration: ${problem}.`).join('\n'));
    this.name = 'ConfigError';
  }
}

/** For a `ConfigError`, prints its message to stderr and exits with 78; throws any other error. */
export function exitOnConfigError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(CONFIG_EXIT_CODE);
}
