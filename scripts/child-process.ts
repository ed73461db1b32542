import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopWithParent } from './stop-with-parent.ts';

export interface ChildSpec {
  /** The name in messages: `api`, `worker-2`, `redis`. */
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Polled after the start until it returns true. */
  isReady(): Promise<boolean>;
  readyTimeoutMs: number;
  /** How long to wait after SIGTERM before the process is killed. */
  stopTimeoutMs: number;
  /** Whether the process is started again when somebody ends it with a signal. */
  restarts?: boolean;
  onLine?(name: string, line: string): void;
  /** Maximum number of lines that `logs()` returns; 5,000 by default. */
  maxLines?: number;
  /** Discards standard output, because reading it costs time in both processes. */
  discardOutput?: boolean;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  isRunning(): boolean;
  /** The last lines of output since the first start, oldest first. */
  logs(): string[];
  /** Sends the signal. Waits for the exit when the signal terminates a process. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Stops the process when it runs, and starts it again with the same arguments and port. */
  restart(): Promise<void>;
  /** Sends SIGTERM, and SIGKILL after the stop timeout. */
  stop(): Promise<void>;
  /** Resolves with a message when the process exits without kill(), restart() or stop(), for good. */
  readonly exitedUnexpectedly: Promise<string>;
}

const defaultMaxLines = 5000;
/**
 * The first pause between two checks whether the process is ready, and the longest. They grow, because each
 * check takes processor time from the process that starts.
 */
const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 160;
/** Signals that do not terminate a process. At a SIGHUP, the apps reload their configuration. */
const nonTerminatingSignals: NodeJS.Signals[] = ['SIGHUP', 'SIGSTOP', 'SIGCONT', 'SIGUSR1', 'SIGUSR2'];

/**
 * Starts a process and waits until it is ready.
 * @throws when the process exits or is not ready in time, with the last lines of its output.
 */
export async function startChild(spec: ChildSpec): Promise<Child> {
  const lines: string[] = [];
  let reportExit: (reason: string) => void = () => {};
  const exitedUnexpectedly = new Promise<string>((resolve) => {
    reportExit = resolve;
  });
  let current = await launch();
  let isReplaced = Promise.resolve();
  return {
    name: spec.name,
    exitedUnexpectedly,
    get pid() {
      return current.process.pid ?? 0;
    },
    isRunning: () => isRunning(current.process),
    logs: () => [...lines],
    kill: (signal) => current.end(signal),
    async stop() {
      await isReplaced;
      await current.end('SIGTERM');
    },
    async restart() {
      await current.end('SIGTERM');
      current = await launch();
    },
  };

  async function launch(): Promise<Launched> {
    // A separate process group, because Ctrl-C reaches all processes of a group at once, and
    // these must stop in order.
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.env ?? process.env,
      detached: true,
      stdio: ['ignore', spec.discardOutput ? 'ignore' : 'pipe', 'pipe'],
    });
    stopWithParent(child);
    const firstLine = lines.length;
    readLines(child, (line) => {
      lines.push(line);
      if (lines.length > (spec.maxLines ?? defaultMaxLines)) lines.shift();
      spec.onLine?.(spec.name, line);
    });

    let expected = false;
    let isStarted = false;
    const ended = once(child, 'close').catch((error: Error) => {
      lines.push(error.message);
    });
    const startFailure = once(child, 'error').then(([error]) => `could not be started: ${error.message}`);
    child.once('exit', (code, signal) => {
      if (expected) return;
      // The apps end with 0 on SIGTERM and SIGINT.
      if (spec.restarts && isStarted && (signal !== null || code === 0)) isReplaced = replace();
      else reportExit(`${spec.name} ended by itself (${signal ?? `exit code ${code}`})`);
    });
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (nonTerminatingSignals.includes(signal)) {
        child.kill(signal);
        return;
      }
      expected = true;
      await endChild(child, signal, spec.stopTimeoutMs);
    };
    const failure = await Promise.race([waitUntilReady(spec, child), startFailure]);
    if (failure !== undefined) {
      await end('SIGKILL');
      if (child.pid !== undefined) await ended;
      const last = lines.slice(firstLine).slice(-12);
      throw new Error([`${spec.name} ${failure}`, ...last.map((line) => `  ${line}`)].join('\n'));
    }
    isStarted = true;
    return { process: child, end };
  }

  async function replace(): Promise<void> {
    spec.onLine?.(spec.name, `${spec.name} was stopped, and is started again`);
    try {
      current = await launch();
    } catch (error) {
      reportExit((error as Error).message);
    }
  }
}

interface Launched {
  process: ChildProcess;
  end(signal: NodeJS.Signals): Promise<void>;
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', onLine);
  }
}

/** Undefined when the process is ready, otherwise the failure. */
async function waitUntilReady(spec: ChildSpec, child: ChildProcess): Promise<string | undefined> {
  const started = Date.now();
  let pollMs = FIRST_POLL_MS;
  while (Date.now() - started < spec.readyTimeoutMs) {
    if (child.exitCode !== null || child.signalCode !== null) {
      return `did not start (${child.signalCode ?? `exit code ${child.exitCode}`}):`;
    }
    if (child.pid !== undefined && (await spec.isReady())) return undefined;
    await sleep(pollMs);
    pollMs = Math.min(pollMs * 1.3, LONGEST_POLL_MS);
  }
  return `was not ready within ${spec.readyTimeoutMs / 1000} s:`;
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  if (!isRunning(child)) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  // A process stopped by SIGSTOP does not handle SIGTERM.
  if (signal !== 'SIGKILL') child.kill('SIGCONT');
  const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await gone;
  clearTimeout(force);
}
