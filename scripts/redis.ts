import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isPortFree } from './free-port.ts';
import { ensureRedisServer } from './install-redis.ts';

export { ensureRedisServer };

export interface RedisOptions {
  /** Folder of the data; without one a temporary folder that stop() removes. */
  dir?: string;
  /** Loopback port; without one any free port. */
  port?: number;
}

export interface RunningRedis {
  url: string;
  port: number;
  pid: number;
  /** Ends the server and waits until it is gone; its data stays when it has a folder of its own. */
  stop(): Promise<void>;
  /** Sends a signal without waiting, SIGKILL for a crash; follow with restart() or stop(). */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts the server again on the same port and data, after kill() or instead of a running one. */
  restart(): Promise<void>;
  /** Resolves when the server ends without having been asked to. */
  readonly died: Promise<string>;
}

const readyTimeoutMs = 15_000;
const stopTimeoutMs = 10_000;

/**
 * A private Redis on the loopback interface, set up as the gateway needs it in production: every write in the
 * append-only file, nothing evicted.
 * @throws when no server program can be had, the port is taken, or the server does not come up.
 */
export async function startRedis(options: RedisOptions = {}): Promise<RunningRedis> {
  const binary = await ensureRedisServer();
  const port = options.port ?? (await freePort());
  if (!(await isPortFree(port))) throw new Error(`port ${port} is in use, Redis cannot listen on it`);
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'gateway-redis-'));
  mkdirSync(dir, { recursive: true, mode: 0o700 });

  let expectedEnd = false;
  let announceDeath: (reason: string) => void = () => {};
  const died = new Promise<string>((resolve) => {
    announceDeath = resolve;
  });
  const launch = async (): Promise<ChildProcess> => {
    const server = spawnServer(binary, port, dir);
    const output = keepOutput(server);
    server.once('exit', (code, signal) => {
      if (!expectedEnd) announceDeath(`redis-server ended (${signal ?? `code ${code}`})`);
    });
    try {
      await untilReady(server, port, output);
    } catch (error) {
      expectedEnd = true;
      server.kill('SIGKILL');
      throw error;
    }
    return server;
  };

  let server = await launch();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    expectedEnd = true;
    await endProcess(server, signal);
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid ?? 0;
    },
    died,
    kill: end,
    async restart() {
      await end('SIGTERM');
      expectedEnd = false;
      server = await launch();
    },
    async stop() {
      await end('SIGTERM');
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

function spawnServer(binary: string, port: number, dir: string): ChildProcess {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir,
    daemonize: 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    save: '',
    loglevel: 'warning',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  // A session of its own: Ctrl-C at a terminal reaches the whole group, and Redis must outlive the processes
  // that still write their last words to it.
  return spawn(binary, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
}

function keepOutput(server: ChildProcess): () => string {
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-2000);
  };
  server.stdout?.on('data', keep);
  server.stderr?.on('data', keep);
  return () => output.trim();
}

/** Ready means that it answers PING: while the append-only file loads it listens but refuses. */
async function untilReady(server: ChildProcess, port: number, output: () => string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  let failure: Error | undefined;
  server.once('error', (error) => {
    failure = error;
  });
  while (Date.now() < deadline) {
    if (failure) throw failure;
    if (server.exitCode !== null || server.signalCode !== null) {
      throw new Error(`redis-server did not start: ${output()}`);
    }
    if (await answersPing(port)) return;
    await sleep(10);
  }
  throw new Error(`redis-server did not answer within ${readyTimeoutMs / 1000} s: ${output()}`);
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const done = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
    socket.once('data', (data) => done(data.toString().startsWith('+PONG')));
  });
}

async function endProcess(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill(signal);
  const deadline = setTimeout(() => server.kill('SIGKILL'), stopTimeoutMs);
  await gone;
  clearTimeout(deadline);
}
