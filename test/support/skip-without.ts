import type { Context } from 'mocha';

/**
 * Skips a test or a suite that needs a program, and says so. Where `CI` is set it fails instead: what is not checked there is
 * checked nowhere.
 *
 * @param remedy how to get the program
 */
export function skipWithout(program: string, remedy: string, context: Pick<Context, 'skip'>): never {
  const message = `NOT CHECKED, because ${program} is missing: ${remedy}`;
  if (process.env.CI) throw new Error(message);
  process.stderr.write(`      ${message}\n`);
  return context.skip();
}
