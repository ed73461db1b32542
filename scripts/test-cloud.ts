import { parseArgs } from 'node:util';
import { startRedis } from './redis.ts';
import { demoServiceUser, environmentWithoutSettings } from './stack-environment.ts';
import { report, runTests, testFiles } from './test-runs.ts';

/**
 * The end-to-end suites against the cloud that OS_AUTH_URL names instead of the simulated one:
 *   OS_AUTH_URL=... npm run test:cloud [-- [--grep <text>] [<file or pattern>...]]
 * Log-ins: TESTCLOUD_DEMO_USERNAME, _PASSWORD, _PROJECT_NAME and TESTCLOUD_ADMIN_..., or those of the simulated
 * cloud; GATEWAY_SERVICE_USERNAME, _PASSWORD and _PROJECT for the gateway's own user.
 */
process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return report([{ passed: 0, failed: 1, pending: 0 }]);
});

async function main(): Promise<number> {
  const { OS_AUTH_URL: identityUrl } = process.env;
  if (!identityUrl) {
    throw new Error('OS_AUTH_URL is not set: name the identity service of the cloud to test against');
  }
  const { values: options, positionals: patterns } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string' } },
  });
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
  const redis = await startRedis();
  try {
    const env = {
      ...environmentWithoutSettings(),
      ...fromEnvironment(demoServiceUser),
      ...fromEnvironment({ OS_REGION_NAME: undefined, OS_INTERFACE: undefined, OS_CACERT: undefined }),
      TEST_CLOUD_AUTH_URL: identityUrl,
      TEST_REDIS_URL: redis.url,
    };
    const files = testFiles(patterns.length > 0 ? patterns : ['test/e2e', 'test/browser', 'test/cloud']);
    const flags = options.grep ? ['--grep', options.grep] : [];
    return report([await runTests({ files, flags, env }, stopped.signal)]);
  } finally {
    await redis.stop();
  }
}

/** The variables of this process, with the given fallbacks. */
function fromEnvironment(fallback: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(fallback).map(([name, value]) => [name, process.env[name] ?? value]),
  );
}
