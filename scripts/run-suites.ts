import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { stopSharedStack } from '../test/support/stacks/shared-stack.ts';
import { runningUrl } from './running-stack.ts';
import { projectRoot } from './server-process.ts';
import { skipWhatNeedsOwnStack } from './skip-needs-own-stack.ts';
import { END_OF_OUTPUT, type SuiteResults } from './suite-results.ts';

/**
 * Runs test files with mocha: those of each message of the parent process, which gets their results. Ends at
 * a message without files. A separate process, so that a crash affects only its own results.
 *   node scripts/run-suites.ts [--grep <text>] [--reporter <name>] [--bail]
 */
const { values: options } = parseArgs({
  options: {
    grep: { type: 'string' },
    reporter: { type: 'string', default: 'spec' },
    bail: { type: 'boolean', default: false },
  },
});

/** How long the process waits for resources that a suite has left open. */
const closeTimeoutMs = 10_000;

const { timeout } = JSON.parse(readFileSync(join(projectRoot, '.mocharc.json'), 'utf8'));

process.on('message', async (files: string[]) => {
  if (files.length === 0) {
    process.disconnect();
    return;
  }
  const results = await runFiles(files);
  if (process.env.TEST_OUTPUT_ENDS) process.stdout.write(Buffer.of(END_OF_OUTPUT));
  process.send?.(results);
});
await once(process, 'disconnect');
await stopSharedStack();
setTimeout(() => {
  const open = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout');
  console.error(`A suite did not close what it opened: ${open.join(', ') || 'a timer'}`);
  process.exit();
}, closeTimeoutMs).unref();

async function runFiles(files: readonly string[]): Promise<SuiteResults> {
  const mocha = new Mocha({
    timeout,
    reporter: options.reporter,
    bail: options.bail,
    forbidOnly: Boolean(process.env.CI),
  });
  if (options.grep) mocha.grep(options.grep);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    const failures: string[] = [];
    const runner = mocha.run(() => {
      const { passes = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed: passes, pending, failures });
    });
    runner.on('fail', (test, error) => {
      failures.push(`${test.fullTitle()}: ${String(error.message).split('\n', 1)[0]}`);
    });
    if (runningUrl() !== null) skipWhatNeedsOwnStack(runner);
  });
}
