import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteCounts } from './run-suites.ts';
import { compileCache, projectRoot, type Variables } from './server-process.ts';

interface TestRun {
  files: string[];
  /** Options for run-suites.ts. */
  flags: string[];
  env: Variables;
  /** Prints the output when the process has ended, so that it does not mix with that of another process. */
  printsAtEnd?: boolean;
}

/** Splits files into batches of this size at most. */
export function inBatches(files: string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
}

/** Sorted test files that match the given files, folders or glob patterns, relative to the project root. */
export function testFiles(patterns: string[], exclude: string[] = []): string[] {
  const inFolders = patterns.map((pattern) => `${pattern.replace(/\/$/, '')}/**/*.test.ts`);
  const found = globSync([...patterns, ...inFolders], { cwd: projectRoot, exclude });
  return found.filter((file) => file.endsWith('.test.ts')).sort();
}

/**
 * Test processes that run at once. End-to-end suites wait for more than half of their time, so three of them
 * use two cores better than two. Four take as long: each then needs more processor time.
 */
const CONCURRENCY = 3;

/**
 * Runs test files in several processes. Prints the output of each when it has ended. The output of a single
 * process is printed at once.
 */
export async function runBatches(runs: readonly TestRun[], stopped: AbortSignal): Promise<SuiteCounts[]> {
  const waiting = runs.filter(({ files }) => files.length > 0);
  if (waiting.length <= 1) return Promise.all(waiting.map((run) => runTests(run, stopped)));
  const results: SuiteCounts[] = [];
  const runNext = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined && !stopped.aborted; run = waiting.shift()) {
      results.push(await runTests({ ...run, printsAtEnd: true }, stopped));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext));
  return results;
}

/**
 * Runs test files in a separate process that shares this process's output. A process that exits without
 * results counts as one failure.
 */
export async function runTests(
  { files, flags, env, printsAtEnd = false }: TestRun,
  stopped: AbortSignal,
): Promise<SuiteCounts> {
  if (files.length === 0) return { passed: 0, failed: 0, pending: 0 };
  const output = printsAtEnd ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, [join('scripts', 'run-suites.ts'), ...flags, ...files], {
    cwd: projectRoot,
    env: { NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', output, output, 'ipc'],
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => printed.push(data));
  const stop = (): void => void terminate(child);
  stopped.addEventListener('abort', stop);
  let counts: SuiteCounts | undefined;
  child.on('message', (message: SuiteCounts) => {
    counts = message;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  stopped.removeEventListener('abort', stop);
  process.stdout.write(Buffer.concat(printed));
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
