import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from './server-process.ts';
import { failure, noResults, type SuiteResults } from './suite-results.ts';
import { TestProcess, type TestProcessOptions } from './test-process.ts';

interface TestRun extends TestProcessOptions {
  readonly files: readonly string[];
}

/**
 * Runs a command for tests, prints its last lines, and sets the exit code. `run` ends its tests when the
 * signal is aborted. A run that is stopped, or that cannot begin, has failed.
 */
export async function testCommand(
  run: (stopped: AbortSignal) => Promise<readonly SuiteResults[]>,
): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
  const results = await run(stopped.signal).catch((error: unknown) => [
    failure(error instanceof Error ? error.message : String(error)),
  ]);
  process.exitCode = report(stopped.signal.aborted ? [...results, failure('The run was stopped')] : results);
}

/** The arguments `[--grep <text>] [<file or pattern>...]` of a command. */
export function testArguments(defaults: string[]): { flags: string[]; patterns: string[] } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string' } },
  });
  return {
    flags: values.grep ? ['--grep', values.grep] : [],
    patterns: positionals.length > 0 ? positionals : defaults,
  };
}

/**
 * In an order that leaves short files for the end, so that no process runs alone then. A large file mostly
 * takes long, and so does the fault suite, whose cases are elsewhere.
 */
export function longestFirst(files: readonly string[]): string[] {
  const weight = (file: string): number =>
    file.startsWith('test/faults/') ? Number.MAX_SAFE_INTEGER : statSync(join(projectRoot, file)).size;
  const weighed = files.map((file) => ({ file, weight: weight(file) }));
  return weighed.toSorted((a, b) => b.weight - a.weight).map(({ file }) => file);
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
 * Runs the files of each pool in several processes, in this order. Each process takes the next file when it
 * has ended one, and prints its output then. The output of a single file is printed at once. With `bail`,
 * no file begins after a failure.
 */
export async function runPools(
  pools: readonly TestRun[],
  { bail = false, stopped }: { bail?: boolean; stopped: AbortSignal },
): Promise<SuiteResults[]> {
  const waiting = pools.filter(({ files }) => files.length > 0);
  const [first] = waiting;
  if (waiting.length === 1 && first?.files.length === 1) return [await runTests(first, stopped)];
  const results: SuiteResults[] = [];
  const queues = waiting.map(({ files, ...options }) => ({
    options,
    files: takeFiles(
      files,
      () => stopped.aborted || (bail && results.some(({ failures }) => failures.length > 0)),
    ),
  }));
  const lanes = queues.flatMap((_, own) =>
    Array.from({ length: LANES[own] ?? 1 }, async () => {
      // A lane whose own pool is empty helps the others.
      for (const { files, options } of [...queues.slice(own), ...queues.slice(0, own)])
        await runFiles(files, options, results, stopped);
    }),
  );
  await Promise.all(lanes);
  return results;
}

/** All lanes take from one iterator. */
function* takeFiles(files: readonly string[], hasEnded: () => boolean): Generator<string> {
  for (const file of files) {
    if (hasEnded()) return;
    yield file;
  }
}

/** Runs the files in one process, one after another. A process that has crashed is replaced. */
async function runFiles(
  files: Generator<string>,
  options: TestProcessOptions,
  results: SuiteResults[],
  stopped: AbortSignal,
): Promise<void> {
  let running: TestProcess | undefined;
  for (let next = files.next(); !next.done; next = files.next()) {
    running ??= new TestProcess({ ...options, printsAtEnd: true }, stopped);
    results.push(await running.run([next.value]));
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
function report(results: readonly SuiteResults[]): number {
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
