import { globSync } from 'node:fs';
import { projectRoot } from './server-process.ts';
import { failure, noResults, type SuiteResults } from './suite-results.ts';
import { TestProcess, type TestProcessOptions } from './test-process.ts';

interface TestRun extends TestProcessOptions {
  files: string[];
}

/** Files that run in processes of their own, some at a time. */
interface TestPool extends TestProcessOptions {
  readonly parts: readonly (readonly string[])[];
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
 * Test processes that run at once, for the first pool and the next one. End-to-end suites, which come first,
 * wait for more than half of their time; the other process uses what they leave.
 */
const LANES = [5, 1];

/**
 * Runs the parts of each pool in several processes, in this order. Each process takes the next part when it
 * has ended one, and prints its output then. The output of a single part is printed at once. With `bail`,
 * no part begins after a failure.
 */
export async function runPools(
  pools: readonly TestPool[],
  { bail, stopped }: { bail: boolean; stopped: AbortSignal },
): Promise<SuiteResults[]> {
  const waiting = pools.filter(({ parts }) => parts.length > 0);
  const [first] = waiting;
  if (waiting.length === 1 && first?.parts.length === 1) {
    return [await runTests({ ...first, files: first.parts.flat() }, stopped)];
  }
  const results: SuiteResults[] = [];
  const queues = waiting.map(({ parts, ...options }) => ({
    options,
    parts: takeParts(
      parts,
      () => stopped.aborted || (bail && results.some(({ failures }) => failures.length > 0)),
    ),
  }));
  const lanes = queues.flatMap((_, own) =>
    Array.from({ length: LANES[own] ?? 1 }, async () => {
      // A lane whose own pool is empty helps the others.
      for (const { parts, options } of [...queues.slice(own), ...queues.slice(0, own)])
        await runParts(parts, options, results, stopped);
    }),
  );
  await Promise.all(lanes);
  return results;
}

/** All lanes take from one iterator. */
function* takeParts<Part>(parts: readonly Part[], hasEnded: () => boolean): Generator<Part> {
  for (const part of parts) {
    if (hasEnded()) return;
    yield part;
  }
}

/** Runs the parts in one process. A process that has crashed is replaced. */
async function runParts(
  parts: Generator<readonly string[]>,
  options: TestProcessOptions,
  results: SuiteResults[],
  stopped: AbortSignal,
): Promise<void> {
  let running: TestProcess | undefined;
  for (let next = parts.next(); !next.done; next = parts.next()) {
    running ??= new TestProcess({ ...options, printsAtEnd: true }, stopped);
    results.push(await running.run(next.value));
    if (running.hasExited) {
      await running.end();
      running = undefined;
    }
  }
  if (running !== undefined) results.push(await running.end());
}

/** Runs test files in a separate process that shares this process's output. */
export async function runTests({ files, ...options }: TestRun, stopped: AbortSignal): Promise<SuiteResults> {
  if (files.length === 0) return noResults();
  const running = new TestProcess(options, stopped);
  const results = await running.run(files);
  const { failures } = await running.end();
  return { ...results, failures: [...results.failures, ...failures] };
}

/**
 * Prints the failures and the last line of a run, and returns the exit code. A run without tests, or
 * with skipped ones only, is a failure.
 */
export function report(results: readonly SuiteResults[]): number {
  const total = noResults();
  for (const { passed, pending, failures } of results) {
    total.passed += passed;
    total.pending += pending;
    total.failures.push(...failures);
  }
  if (total.passed + total.failures.length === 0)
    total.failures.push(total.pending > 0 ? 'All tests were skipped' : 'No test ran');
  for (const line of total.failures) console.log(`FAILED ${line}`);
  if (total.pending > 0) console.log(`${total.pending} skipped`);
  console.log(`${total.passed} passed, ${total.failures.length} failed`);
  return total.failures.length === 0 ? 0 : 1;
}

/** Reports a run that could not begin, or was stopped by an error of its own. */
export function reportError(error: unknown): number {
  return report([failure(error instanceof Error ? error.message : String(error))]);
}
