import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { stopSharedStack } from '../test/support/stacks/shared-stack.ts';
import { runningUrl } from './running-stack.ts';
import { projectRoot } from './server-process.ts';
import { skipWhatNeedsOwnStack } from './skip-needs-own-stack.ts';

/**
 * Runs test files with mocha and sends the counts to the parent process. Runs as a separate process, so that
 * a crash affects only its own results.
 *   node scripts/run-suites.ts [--grep <text>] [--reporter <name>] [--bail] <file>...
 */
const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string' },
    reporter: { type: 'string', default: 'spec' },
    bail: { type: 'boolean', default: false },
  },
});

export interface SuiteCounts {
  passed: number;
  failed: number;
  pending: number;
}

/** How long the process waits for resources that a suite has left open. */
const closeTimeoutMs = 10_000;

const { timeout } = JSON.parse(readFileSync(join(projectRoot, '.mocharc.json'), 'utf8'));
const mocha = new Mocha({
  timeout,
  reporter: options.reporter,
  bail: options.bail,
  forbidOnly: Boolean(process.env.CI),
  rootHooks: { afterAll: stopSharedStack },
});
if (options.grep) mocha.grep(options.grep);
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();

const runner = mocha.run((failures) => {
  process.exitCode = failures > 0 ? 1 : 0;
  const { passes = 0, pending = 0 } = runner.stats ?? {};
  const counts: SuiteCounts = { passed: passes, failed: failures, pending };
  process.send?.(counts, undefined, undefined, () => process.disconnect());
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout');
    console.error(`A suite did not close what it opened: ${open.join(', ') || 'a timer'}`);
    process.exit();
  }, closeTimeoutMs).unref();
});
if (runningUrl() !== null) skipWhatNeedsOwnStack(runner);
