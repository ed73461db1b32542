import { type Dependencies, openDependencies } from '@gateway/context';
import { createLogger, createMetrics, loadConfigOrExit } from '@gateway/platform';
import { waitUntilReady } from '@gateway/store';

const STORE_WAIT_MS = 10_000;

/**
 * Runs a command with the store of the configuration, and exits with the code that it returns. Exits with 1
 * and a sentence if it throws, or if Redis is unavailable.
 */
export async function withStore(
  command: string,
  action: (dependencies: Dependencies) => Promise<number>,
): Promise<number> {
  const config = loadConfigOrExit();
  const origin = { gateway: config.gateway.name, region: config.identity.region };
  // The standard output has only what the command prints.
  const logger = createLogger({ ...config.log, level: 'warn', service: command, origin }, process.stderr);
  const metrics = createMetrics({ origin });
  const dependencies = openDependencies({ config, logger, metrics }, { retryPolicy: 'fail-fast' });
  try {
    if (!(await waitUntilReady(dependencies.redis.store, STORE_WAIT_MS))) {
      return fail('Redis is unavailable; nothing was changed.');
    }
    return await action(dependencies);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  } finally {
    await dependencies.closers.closeInReverse();
  }
}

/** Prints why a command fails, and returns the exit code. */
export function fail(reason: string): number {
  console.error(reason);
  return 1;
}
