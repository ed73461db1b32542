import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteCounts } from './run-suites.ts';
import { projectRoot, type Variables } from './server-process.ts';

export interface TestRun {
  files: string[];
  /** Options for run-suites.ts. */
  flags: string[];
  env: Variables;
}

/** Sorted test files that match the given files, folders or glob patterns, relative to the project root. */
export function testFiles(patterns: string[], exclude: string[] = []): string[] {
  const inFolders = patterns.map((pattern) => `${pattern.replace(/\/$/, '')}/**/*.test.ts`);
  const found = globSync([...patterns, ...inFolders], { cwd: projectRoot, exclude });
  return found.filter((file) => file.endsWith('.test.ts')).sort();
}

/**
 * Runs test files in a separate process that shares this process's output. A process that exits without results
 * counts as one failure.
 */
export async function runTests({ files, flags, env }: TestRun, stopped: AbortSignal): Promise<SuiteCounts> {
  if (files.length === 0) return { passed: 0, failed: 0, pending: 0 };
  const child = spawn(process.execPath, [join('scripts', 'run-suites.ts'), ...flags, ...files], {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const stop = (): void => void terminate(child);
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

/** Suites need time to stop their own processes. */
async function terminate(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), 5000).unref();
}

/**
 * Prints the last line of a run and returns the exit code. A run without tests is a failure.
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
