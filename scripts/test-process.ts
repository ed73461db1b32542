import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compileCache, projectRoot, type Variables } from './server-process.ts';
import { END_OF_OUTPUT, failure, noResults, type SuiteResults } from './suite-results.ts';

export interface TestProcessOptions {
  /** Options for run-suites.ts. */
  flags: string[];
  env: Variables;
  /** Prints the output of files when they have ended, apart from that of other processes. */
  printsAtEnd?: boolean;
}

/** With it, packages/cli imports the source of packages/client, which is compiled only to be published. */
const SOURCE_CONDITION = '@gateway/source';

type Exit = [code: number | null, signal: NodeJS.Signals | null];

/** A process that runs test files, some at a time. Suites of different files can share a stack. */
export class TestProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<Exit>;
  readonly #stopped: AbortSignal;
  #output: Buffer[] = [];

  constructor({ flags, env, printsAtEnd = false }: TestProcessOptions, stopped: AbortSignal) {
    const output = printsAtEnd ? 'pipe' : 'inherit';
    const suites = join('scripts', 'run-suites.ts');
    this.#child = spawn(process.execPath, ['--conditions', SOURCE_CONDITION, suites, ...flags], {
      cwd: projectRoot,
      env: { NODE_COMPILE_CACHE: compileCache, ...env, ...(printsAtEnd && { TEST_OUTPUT_ENDS: '1' }) },
      stdio: ['ignore', output, output, 'ipc'],
    });
    this.#child.stdout?.on('data', (data: Buffer) => this.#collect(data));
    this.#child.stderr?.on('data', (data: Buffer) => this.#output.push(data));
    this.#closed = once(this.#child, 'close') as Promise<Exit>;
    this.#stopped = stopped;
    stopped.addEventListener('abort', this.#stop);
  }

  /** Runs the files. If the process exits without results, this counts as one failure. */
  async run(files: readonly string[]): Promise<SuiteResults> {
    if (this.hasExited) return failure(`The test process has exited before ${files.join(', ')}`);
    const received = once(this.#child, 'message') as Promise<[SuiteResults]>;
    this.#child.send(files);
    const results = await Promise.race([received.then(([result]) => result), this.#closed.then(() => null)]);
    if (results !== null) return results;
    const [code, signal] = await this.#closed;
    return failure(
      `The tests ended before their results (${signal ?? `exit code ${code}`}): ${files.join(', ')}`,
    );
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Ends the process after its files. A process that fails at its end counts as one failure. */
  async end(): Promise<SuiteResults> {
    const wasRunning = !this.hasExited;
    // If this process disconnected, Node would not report that the other one has closed.
    if (this.#child.connected) this.#child.send([]);
    const [code] = await this.#closed;
    this.#stopped.removeEventListener('abort', this.#stop);
    this.#print();
    if (wasRunning && code !== 0) return failure(`A test process failed after its files: exit code ${code}`);
    return noResults();
  }

  /** Suites need time to stop their own processes. */
  readonly #stop = (): void => {
    this.#child.kill('SIGTERM');
    setTimeout(() => this.#child.kill('SIGKILL'), 5000).unref();
  };

  #collect(data: Buffer): void {
    const end = data.indexOf(END_OF_OUTPUT);
    if (end < 0) {
      this.#output.push(data);
      return;
    }
    this.#output.push(data.subarray(0, end));
    this.#print();
    this.#collect(data.subarray(end + 1));
  }

  #print(): void {
    process.stdout.write(Buffer.concat(this.#output));
    this.#output = [];
  }
}
