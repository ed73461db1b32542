import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopWithParent } from './stop-with-parent.ts';

export interface ChildSpec {
  /** As it is called in messages: `api`, `worker-2`, `redis`. */
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Asked again and again after the start until it is true. */
  isReady(): Promise<boolean>;
  readyTimeoutMs: number;
  /** After a polite signal; then it is killed. */
  stopTimeoutMs: number;
  onLine?(name: string, line: string): void;
  /** How many of its lines `logs()` gives at most; 5,000 unless given. */
  keptLines?: number;
  /** Lets what it writes to standard output go unread: reading it costs the reader, and holds the writer up. */
  discardOutput?: boolean;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  isRunning(): boolean;
  /** The lines it wrote since the first start, newest last: those that are kept. */
  logs(): string[];
  /** Sends the signal and, when it is one that ends a process, waits until it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again as it was started, on the same port, after ending it when it still runs. */
  restart(): Promise<void>;
  /** Ends it politely, then by force. */
  stop(): Promise<void>;
  /** Resolves with a sentence when it ends without kill(), restart() or stop(). */
  readonly died: Promise<string>;
}

const defaultKeptLines = 5000;
const pollMs = 20;
/** Signals after which a process goes on. */
const passing: NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGUSR1', 'SIGUSR2', 'SIGHUP'];

/**
 * Starts a process and waits until it is ready.
 * @throws when it ends before or is not ready in time, with the last lines it wrote.
 */
export async function startChild(spec: ChildSpec): Promise<Child> {
  const lines: string[] = [];
  let announceDeath: (reason: string) => void = () => {};
  const died = new Promise<string>((resolve) => {
    announceDeath = resolve;
  });
  let current = await launch();
  return {
    name: spec.name,
    died,
    get pid() {
      return current.process.pid ?? 0;
    },
    isRunning: () => isRunning(current.process),
    logs: () => [...lines],
    kill: (signal) => current.end(signal),
    stop: () => current.end('SIGTERM'),
    async restart() {
      await current.end('SIGTERM');
      current = await launch();
    },
  };

  async function launch(): Promise<Launched> {
    // A group of its own: Ctrl-C at a terminal reaches the whole group at once, and these end in order instead.
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
      if (lines.length > (spec.keptLines ?? defaultKeptLines)) lines.shift();
      spec.onLine?.(spec.name, line);
    });

    let expected = false;
    const ended = once(child, 'close').catch((error: Error) => {
      lines.push(error.message);
    });
    const startFailure = once(child, 'error').then(([error]) => `could not be started: ${error.message}`);
    child.once('exit', (code, signal) => {
      if (!expected) announceDeath(`${spec.name} ended by itself (${signal ?? `exit code ${code}`})`);
    });
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (passing.includes(signal)) {
        child.kill(signal);
        return;
      }
      expected = true;
      await endChild(child, signal, spec.stopTimeoutMs);
    };
    const failure = await Promise.race([untilReady(spec, child), startFailure]);
    if (failure !== undefined) {
      await end('SIGKILL');
      if (child.pid !== undefined) await ended;
      const last = lines.slice(firstLine).slice(-12);
      throw new Error([`${spec.name} ${failure}`, ...last.map((line) => `  ${line}`)].join('\n'));
    }
    return { process: child, end };
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

/** Undefined when it is ready, else what happened instead. */
async function untilReady(spec: ChildSpec, child: ChildProcess): Promise<string | undefined> {
  const deadline = Date.now() + spec.readyTimeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      return `did not start (${child.signalCode ?? `exit code ${child.exitCode}`}):`;
    }
    if (child.pid !== undefined && (await spec.isReady())) return undefined;
    await sleep(pollMs);
  }
  return `was not ready within ${spec.readyTimeoutMs / 1000} s:`;
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  if (!isRunning(child)) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  // A process that is stopped (SIGSTOP) takes no polite signal.
  if (signal !== 'SIGKILL') child.kill('SIGCONT');
  const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await gone;
  clearTimeout(force);
}
