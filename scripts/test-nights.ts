import { bundleApps } from './bundle-apps.ts';
import { ensureProgram } from './ensure-program.ts';
import { startRedis } from './redis.ts';
import { environmentWithoutSettings } from './stack-environment.ts';
import { runPools, testArguments, testCommand, testFiles } from './test-runs.ts';

/**
 * Runs the bad nights of operators: each breaks something below real processes, and checks what is left, what
 * is said and which alerts fire:
 *   npm run test:nights [-- [--grep <text>] [<file or pattern>...]]
 * Ends with the line `N passed, N failed`. Fails without promtool, which evaluates the alert rules.
 */
await testCommand(async (stopped) => {
  const { flags, patterns } = testArguments(['test/nights']);
  if ((await ensureProgram(['promtool'], 'prometheus')) === null)
    throw new Error('promtool is missing: install the package prometheus');
  const redis = await startRedis();
  const env = {
    ...environmentWithoutSettings(),
    TEST_BUNDLES: await bundleApps(),
    TEST_REDIS_URL: redis.url,
  };
  try {
    return await runPools([{ files: testFiles(patterns), flags, env }], { stopped });
  } finally {
    await redis.stop();
  }
});
