import { parseArgs } from 'node:util';
import { bundleApps } from './bundle-apps.ts';
import { ensureProgram } from './ensure-program.ts';
import { startRedis } from './redis.ts';
import { environmentWithoutSettings } from './stack-environment.ts';
import { failure } from './suite-results.ts';
import { report, reportError, runPools, testFiles } from './test-runs.ts';

/**
 * Runs the bad nights of operators: each breaks something below real processes, and checks what is left, what
 * is said and which alerts fire:
 *   npm run test:nights [-- [--grep <text>] [<file or pattern>...]]
 * Ends with the line `N passed, N failed`. Fails without promtool, which evaluates the alert rules.
 */
process.exitCode = await main().catch(reportError);

async function main(): Promise<number> {
  const { values: options, positionals: patterns } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string' } },
  });
  const files = testFiles(patterns.length > 0 ? patterns : ['test/nights']);
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
  if ((await ensureProgram(['promtool'], 'prometheus')) === null)
    throw new Error('promtool is missing: install the package prometheus');
  const redis = await startRedis();
  const env = {
    ...environmentWithoutSettings(),
    TEST_BUNDLES: await bundleApps(),
    TEST_REDIS_URL: redis.url,
  };
  try {
    const pool = { files, flags: options.grep ? ['--grep', options.grep] : [], env };
    const results = await runPools([pool], { bail: false, stopped: stopped.signal });
    if (stopped.signal.aborted) results.push(failure('The run was stopped'));
    return report(results);
  } finally {
    await redis.stop();
  }
}
