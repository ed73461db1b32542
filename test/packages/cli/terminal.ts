import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Context } from '../../../packages/cli/src/context.ts';
import { run } from '../../../packages/cli/src/run.ts';
import { currentCatalog } from '../../../scripts/cli/catalog.ts';
import { eventually } from '../../support/eventually.ts';

const catalog = await currentCatalog();

export interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

interface Typed {
  /** Part of the question. */
  at: string;
  /** Nothing if omitted. */
  text?: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** The standard input, as of a pipe. */
  input?: string | Buffer;
  /** Runs on a terminal, and answers the questions in this order. */
  types?: readonly Typed[];
  /** The width of the terminal. */
  columns?: number;
  /** Receives what is written to `stderr`, and a function that presses Ctrl-C. */
  onNote?: (text: string, interrupt: () => void) => void;
  /** Receives that function before the command begins. */
  onStart?: (interrupt: () => void) => void;
}

/** Runs commands in this process, with a configuration folder of their own. */
export class Terminal {
  readonly home = mkdtempSync(join(tmpdir(), 'gateway-cli-test-'));
  readonly folder = join(this.home, 'gateway');

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  async run(
    args: readonly string[],
    { env = {}, input = '', types, columns, onNote, onStart }: RunOptions = {},
  ): Promise<Result> {
    const interrupt = new AbortController();
    onStart?.(() => interrupt.abort());
    const isTTY = types !== undefined;
    const [stdin, stdout, stderr] = [stream(isTTY), stream(isTTY, columns), stream(isTTY, columns)];
    const output = { stdout: '', stderr: '' };
    stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    stderr.on('data', (chunk) => {
      output.stderr += chunk;
      onNote?.(String(chunk), () => interrupt.abort());
    });
    const typing = isTTY ? answer(types, stdin, () => output.stderr) : stdin.end(input);
    const context: Context = {
      env: { XDG_CONFIG_HOME: this.home, ...env },
      ...{ stdin, stdout, stderr },
      signal: interrupt.signal,
      catalog,
    };
    const code = await run(args, context);
    await typing;
    return { code, ...output };
  }
}

/** Like the streams of a process, it stays open when a pipe into it ends. */
function stream(isTTY: boolean, columns?: number): PassThrough & { isTTY: boolean } {
  return Object.assign(new PassThrough(), { isTTY, _isStdio: true, ...(columns && { columns }) });
}

/** Types each text when its question has been asked. */
async function answer(types: readonly Typed[], stdin: PassThrough, shown: () => string): Promise<void> {
  let from = 0;
  for (const { at, text } of types) {
    from = await eventually(async () => {
      const found = shown().indexOf(at, from);
      return found < 0 ? undefined : found + at.length;
    }, 10_000);
    if (text !== undefined) stdin.write(`${text}\n`);
  }
}
