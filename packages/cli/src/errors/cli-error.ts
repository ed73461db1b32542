import { EXIT, type ExitCode } from './exit-code.ts';

/** Ends the program with this exit code. The message is a sentence for the user. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command or its input is wrong. */
export function usageError(message: string): CliError {
  return new CliError(message, EXIT.usage);
}
