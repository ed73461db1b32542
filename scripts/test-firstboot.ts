import { prepareMachine } from './firstboot-machine.ts';
import { startRedis } from './redis.ts';
import { environmentWithoutSettings } from './stack-environment.ts';
import { runTests, testArguments, testCommand, testFiles } from './test-runs.ts';

/**
 * Boots virtual machines with the first-boot data of the gateway, and checks them:
 *   npm run test:firstboot [-- [--grep <text>] [<file or pattern>...]]
 * The console output is written to .data/firstboot/. Runs nothing, and says so, where machines cannot boot.
 */
const unavailable = prepareMachine();
if (unavailable !== null) {
  console.log(`SKIPPED: no virtual machine can be booted here: ${unavailable}`);
  console.log('0 passed, 0 failed');
} else {
  await testCommand(async (stopped) => {
    const { flags, patterns } = testArguments(['test/firstboot']);
    const redis = await startRedis();
    try {
      const env = { ...environmentWithoutSettings(), TEST_REDIS_URL: redis.url };
      return [await runTests({ files: testFiles(patterns), flags, env }, stopped)];
    } finally {
      await redis.stop();
    }
  });
}
