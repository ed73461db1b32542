import type { Context } from 'mocha';

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
