import { parseArgs } from 'node:util';
import { prepareMachine } from './firstboot-machine.ts';
import { startRedis } from './redis.ts';
import { environmentWithoutSettings } from './stack-environment.ts';
import { report, reportError, runTests, testFiles } from './test-runs.ts';

/**
 * Boots virtual machines with the first-boot data of the gateway, and checks them:
 *   npm run test:firstboot [-- [--grep <text>] [<file or pattern>...]]
 * The console output is written to .data/firstboot/. All tests are skipped when machines cannot boot.
 */
process.exitCode = await main().catch(reportError);

async function main(): Promise<number> {
  const { values: options, positionals: patterns } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string' } },
  });
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
  const unavailable = prepareMachine();
  const redis = unavailable === null ? await startRedis() : null;
  try {
    const env = {
      ...environmentWithoutSettings(),
      TEST_REDIS_URL: redis?.url,
      FIRSTBOOT_UNAVAILABLE: unavailable ?? undefined,
    };
    const files = testFiles(patterns.length > 0 ? patterns : ['test/firstboot']);
    const flags = options.grep ? ['--grep', options.grep] : [];
    const results = await runTests({ files, flags, env }, stopped.signal);
    if (unavailable === null || results.failures.length > 0) return report([results]);
    console.log(`SKIPPED: no virtual machine can be booted here: ${unavailable}`);
    console.log(`${results.pending} skipped`);
    console.log('0 passed, 0 failed');
    return 0;
  } finally {
    await redis?.stop();
  }
}
