/** The exit code of a process whose configuration is bad (`EX_CONFIG`): a supervisor need not try again. */
export const CONFIG_EXIT_CODE = 78;

/** Sentences that name the keys at fault, fit to be shown as they are; they never hold a secret's value. */
export class ConfigError extends Error {
  constructor(sentences: string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Ends the process with 78 and the sentences on stderr when the error is a `ConfigError`; else throws it on. */
export function exitOnConfigError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(CONFIG_EXIT_CODE);
}
