import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteCounts } from './run-suites.ts';
import { projectRoot, type Variables } from './server-process.ts';

export interface TestRun {
  files: string[];
  /** Passed on to run-suites.ts. */
  flags: string[];
  env: Variables;
}

/** Test files from the project's root, sorted; by file, folder or a pattern as of a shell. */
export function testFiles(patterns: string[], exclude: string[] = []): string[] {
  const inFolders = patterns.map((pattern) => `${pattern.replace(/\/$/, '')}/**/*.test.ts`);
  const found = globSync([...patterns, ...inFolders], { cwd: projectRoot, exclude });
  return found.filter((file) => file.endsWith('.test.ts')).sort();
}

/**
 * Runs test files in a process of their own, its output going to this one's. A process that ends without
 * having told its results counts as one failure.
 */
export async function runTests({ files, flags, env }: TestRun, stopped: AbortSignal): Promise<SuiteCounts> {
  if (files.length === 0) return { passed: 0, failed: 0, pending: 0 };
  const child = spawn(process.execPath, [join('scripts', 'run-suites.ts'), ...flags, ...files], {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const stop = (): void => void endPolitely(child);
  stopped.addEventListener('abort', stop);
  let counts: SuiteCounts | undefined;
  child.on('message', (message: SuiteCounts) => {
    counts = message;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  stopped.removeEventListener('abort', stop);
  if (counts === undefined) {
    console.error(`The tests ended before their results (${signal ?? `exit code ${code}`})`);
    return { passed: 0, failed: 1, pending: 0 };
  }
  // A crash after the last result is a failure too.
  if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1 };
  return counts;
}

/** Suites have processes of their own to stop, which takes a moment. */
async function endPolitely(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), 5000).unref();
}

/**
 * The last line of a run, alone on it, and the exit code that goes with it. Nothing having run is a failure.
 */
export function report(results: SuiteCounts[]): number {
  const total = { passed: 0, failed: 0, pending: 0 };
  for (const { passed, failed, pending } of results) {
    total.passed += passed;
    total.failed += failed;
    total.pending += pending;
  }
  if (total.passed + total.failed === 0) {
    console.log('No test ran');
    total.failed = 1;
  }
  if (total.pending > 0) console.log(`${total.pending} skipped`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}
