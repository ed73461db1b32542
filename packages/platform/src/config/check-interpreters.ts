import type { InterpreterArchive } from './config.ts';

/** Problems of the configured archives: two for the same version and architecture. */
export function checkInterpreters(configured: readonly InterpreterArchive[]): string[] {
  const byKey = Map.groupBy(configured, ({ version, architecture }) => `${version} for ${architecture}`);
  return [...byKey]
    .filter(([, archives]) => archives.length > 1)
    .map(([key]) => `"builds.interpreters" has ${key} more than once`);
}
