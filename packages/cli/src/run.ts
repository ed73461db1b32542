import { CommanderError } from 'commander';
import type { Context } from './context.ts';
import { describeError } from './errors/describe-error.ts';
import { EXIT, type ExitCode } from './errors/exit-code.ts';
import { warn } from './output/print.ts';
import { createProgram } from './program.ts';
import { stopProxies } from './proxies.ts';

/** Runs a command to its end. A failure is one sentence on `stderr`. */
export async function run(args: readonly string[], context: Context): Promise<ExitCode> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Help and usage errors are printed already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (isInterruption(error, context)) return EXIT.interrupted;
    const { message, exitCode } = describeError(error, context.env);
    warn(context, `gateway: ${message}`);
    return exitCode;
  } finally {
    stopProxies();
  }
}

/** Ctrl-C, also at a question, for which the terminal sends no signal. */
function isInterruption(error: unknown, { signal }: Context): boolean {
  const name = error instanceof Error ? error.name : '';
  return name === 'ExitPromptError' || (signal.aborted && name !== 'CliError');
}
