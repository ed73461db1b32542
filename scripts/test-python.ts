import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleApps } from './bundle-apps.ts';
import { packSource } from './client-python/pack.ts';
import { ensurePython } from './python.ts';
import { startRedis } from './redis.ts';
import { run } from './release/run.ts';
import { environmentWithoutSettings } from './stack-environment.ts';
import { runTests, testArguments, testCommand, testFiles } from './test-runs.ts';

/**
 * Builds the wheel of packages/client-python, installs it in an empty environment, and tests it there:
 *   npm run test:python [-- [--grep <text>] [<file or pattern>...]]
 * Needs Python 3.10 or newer (`PYTHON`) and its package index. Ends with the line `N passed, N failed`.
 */
await testCommand(async (stopped) => {
  const { flags, patterns } = testArguments(['test/python']);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-python-'));
  try {
    const python = await ensurePython();
    const pip = (environment: string, ...args: string[]) =>
      run(join(folder, environment, 'bin/python'), ['-m', 'pip', ...args, '--quiet'], folder);
    const archive = await packSource(folder);
    await run(python, ['-m', 'venv', 'package'], folder);
    await run(python, ['-m', 'venv', 'tools'], folder);
    await pip('package', 'wheel', '--no-deps', archive);
    const [wheel = ''] = globSync('*.whl', { cwd: folder });
    await pip('package', 'install', join(folder, wheel));
    await pip('tools', 'install', 'mypy>=1.11');
    const redis = await startRedis();
    try {
      const env = {
        ...environmentWithoutSettings(),
        TEST_BUNDLES: await bundleApps(),
        TEST_REDIS_URL: redis.url,
        TEST_PYTHON: join(folder, 'package/bin/python'),
        TEST_MYPY: join(folder, 'tools/bin/mypy'),
      };
      return [await runTests({ files: testFiles(patterns), flags, env }, stopped)];
    } finally {
      await redis.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
