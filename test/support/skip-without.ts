import type { Context } from 'mocha';
import { ensureProgram } from '../../scripts/ensure-program.ts';

/**
 * Skips a test or a suite that needs a missing program, and prints the reason. Fails instead if `CI` is set,
 * where skipped checks would run nowhere.
 *
 * @param remedy how to get the program
 */
export function skipWithout(program: string, remedy: string, context: Pick<Context, 'skip'>): never {
  const message = `NOT CHECKED, because ${program} is missing: ${remedy}`;
  if (process.env.CI) throw new Error(message);
  process.stderr.write(`      ${message}\n`);
  return context.skip();
}

/**
 * The path of a program from a package of the distribution, which is installed if it is missing. Skips like
 * `skipWithout` if it cannot be installed. The time limit of the caller must allow for an installation, which
 * takes minutes.
 */
export async function requireProgram(
  program: string,
  packageName: string,
  context: Pick<Context, 'skip'>,
): Promise<string> {
  const path = await ensureProgram([program], packageName);
  return path ?? skipWithout(program, `install the package ${packageName}`, context);
}
