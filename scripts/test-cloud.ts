import { readFileSync } from 'node:fs';
import { startRedis } from './redis.ts';
import { demoServiceUser, environmentWithoutSettings } from './stack-environment.ts';
import type { SuiteResults } from './suite-results.ts';
import { runTests, testArguments, testCommand, testFiles } from './test-runs.ts';

/**
 * The end-to-end suites against the cloud in OS_AUTH_URL instead of the simulated cloud:
 *   OS_AUTH_URL=... npm run test:cloud [-- [--grep <text>] [<file or pattern>...]]
 * Without patterns, files that use the simulated cloud only are left out, because `npm test` runs them. Each
 * file runs in a process of its own, so that a crash ends no other file. Log-ins: TESTCLOUD_DEMO_USERNAME,
 * _PASSWORD, _PROJECT_NAME and TESTCLOUD_ADMIN_..., or those of the simulated cloud; for the gateway's own
 * user GATEWAY_SERVICE_USERNAME, _PASSWORD and _PROJECT.
 */
await testCommand(async (stopped) => {
  const { OS_AUTH_URL: identityUrl } = process.env;
  if (!identityUrl) {
    throw new Error('OS_AUTH_URL is not set: name the identity service of the cloud to test against');
  }
  const { flags, patterns } = testArguments([]);
  const redis = await startRedis();
  try {
    const env = {
      ...environmentWithoutSettings(),
      ...fromEnvironment(demoServiceUser),
      ...fromEnvironment({ OS_REGION_NAME: undefined, OS_INTERFACE: undefined, OS_CACERT: undefined }),
      TEST_CLOUD_AUTH_URL: identityUrl,
      TEST_REDIS_URL: redis.url,
    };
    const files = patterns.length > 0 ? testFiles(patterns) : filesForAnyCloud();
    const results: SuiteResults[] = [];
    for (const file of files) {
      if (stopped.aborted) break;
      const started = performance.now();
      const result = await runTests({ files: [file], flags, env }, stopped);
      results.push(result);
      const { passed, failures } = result;
      console.log(`${file}: ${passed} passed, ${failures.length} failed in ${seconds(started)} s\n`);
    }
    return results;
  } finally {
    await redis.stop();
  }
});

function filesForAnyCloud(): string[] {
  const files = testFiles(['test/cloud', 'test/e2e', 'test/system', 'test/browser']);
  const chosen = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return !/\/(?:simulated-stack|observed-gateway)\.ts/.test(text) || text.includes('startTestStack');
  });
  console.log(`${files.length - chosen.length} files use the simulated cloud only, and are left out`);
  return chosen;
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(0);
}

/** The variables of this process, with the given fallbacks. */
function fromEnvironment(fallback: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(fallback).map(([name, value]) => [name, process.env[name] ?? value]),
  );
}
