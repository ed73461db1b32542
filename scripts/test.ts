import { parseArgs } from 'node:util';
import { bundleApps } from './bundle-apps.ts';
import { changedTests } from './changed-tests.ts';
import { startRedis } from './redis.ts';
import { runningVariables } from './running-stack.ts';
import { environmentWithoutSettings } from './stack-environment.ts';
import { longestFirst, runPools, testCommand, testFiles } from './test-runs.ts';

/**
 * Runs the suites that every change must pass, with a private Redis:
 *   npm test [-- [--all | --unit | --e2e | --changed | --running <url>] [--grep <text>] [--reporter dot]
 *                [--bail] [<file or pattern>...]]
 * `--all` also runs those of `test/system` and `test/browser`, which a release must pass. `--running` runs
 * end-to-end suites against the gateway that `npm start` runs, at this URL.
 * Ends with the line `N passed, N failed`.
 */
const beforeReleases = ['test/browser/**', 'test/system/**'];
/** Need a cloud, machines or programs of their own; each has a command. */
const elsewhere = ['test/cloud/**', 'test/firstboot/**', 'test/nights/**', 'test/python/**'];
const anyGateway = ['test/e2e', 'test/system'];
const wholeSystem = [...anyGateway, 'test/browser', 'test/faults'];

await testCommand(async (stopped) => {
  const { values: options, positionals: patterns } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      unit: { type: 'boolean', default: false },
      e2e: { type: 'boolean', default: false },
      changed: { type: 'boolean', default: false },
      running: { type: 'string' },
      grep: { type: 'string' },
      reporter: { type: 'string' },
      bail: { type: 'boolean', default: false },
    },
  });
  const wanted = options.changed ? changedTests() : patterns;
  const leftOut = options.all || wanted.length > 0 ? elsewhere : [...elsewhere, ...beforeReleases];
  const chosen = testFiles(wanted.length > 0 ? wanted : ['test'], leftOut);
  const system = new Set(testFiles(options.running === undefined ? wholeSystem : anyGateway));
  const ofSystem = options.unit ? [] : chosen.filter((file) => system.has(file));
  const ofUnits =
    options.e2e || options.running !== undefined ? [] : chosen.filter((file) => !system.has(file));
  const flags = [
    ...(options.grep ? ['--grep', options.grep] : []),
    ...(options.reporter ? ['--reporter', options.reporter] : []),
    ...(options.bail ? ['--bail'] : []),
  ];
  const running = options.running === undefined ? null : await runningVariables(options.running);
  process.env.TEST_REDIS_APPENDFSYNC = 'no';
  const bundles = running || ofSystem.length === 0 ? undefined : await bundleApps();
  const redis = running || process.env.TEST_REDIS_URL ? null : await startRedis();
  const env = {
    ...environmentWithoutSettings(),
    TEST_BUNDLES: bundles,
    TEST_REDIS_URL: process.env.TEST_REDIS_URL ?? redis?.url,
    ...running,
  };
  try {
    // Suites with a mocked upstream and suites with real processes run in different test processes.
    const shared = { flags, env };
    return await runPools(
      [
        { ...shared, files: longestFirst(ofSystem) },
        { ...shared, files: longestFirst(ofUnits) },
      ],
      { bail: options.bail, stopped },
    );
  } finally {
    await redis?.stop();
  }
});
