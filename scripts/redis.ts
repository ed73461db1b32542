import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from './child-process.ts';
import { freePort, isPortFree } from './free-port.ts';
import { ensureRedisServer } from './install-redis.ts';

export { ensureRedisServer };

export interface RedisOptions {
  /** Folder of the data; without one a temporary folder that stop() removes. */
  dir?: string;
  /** Loopback port; without one any free port. */
  port?: number;
  /** Put over the server's settings, as its own configuration file names them. */
  settings?: Record<string, string | number>;
}

/** stop() keeps the data when they have a folder of their own; kill() and restart() always do. */
export interface RunningRedis extends Child {
  readonly url: string;
  readonly port: number;
}

/** A server whose starter was killed takes a moment to notice. */
const orphanTimeoutMs = 6_000;

/**
 * A private Redis on the loopback interface, set up as the gateway needs it in production: every write in the
 * append-only file, nothing evicted.
 * @throws when no server program can be had, the port or the data are in use, or the server does not come up.
 */
export async function startRedis(options: RedisOptions = {}): Promise<RunningRedis> {
  const binary = await ensureRedisServer();
  const port = options.port ?? (await freePort());
  if (!(await isPortFree(port))) throw new Error(`port ${port} is in use, Redis cannot listen on it`);
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'gateway-redis-'));
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await untilUnused(dir);

  const child = await startChild({
    name: 'redis',
    command: binary,
    args: serverArguments(port, dir, options.settings),
    isReady: () => answersPing(port),
    readyTimeoutMs: 30_000,
    stopTimeoutMs: 10_000,
  });
  return Object.assign(Object.create(child), {
    url: `redis://127.0.0.1:${port}`,
    port,
    async stop() {
      await child.stop();
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  } satisfies Partial<RunningRedis>);
}

function serverArguments(port: number, dir: string, further: Record<string, string | number> = {}): string[] {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir,
    pidfile: pidFile(dir),
    daemonize: 'no',
    appendonly: 'yes',
    // With `everysec` a server that is killed may lose what it has answered: see docs/decisions.
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    save: '',
    loglevel: 'warning',
    ...further,
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

function pidFile(dir: string): string {
  return join(dir, 'redis.pid');
}

/** Two servers on one append-only file would spoil it. */
async function untilUnused(dir: string): Promise<void> {
  const deadline = Date.now() + orphanTimeoutMs;
  for (let user = userOf(dir); user !== undefined; user = userOf(dir)) {
    if (Date.now() > deadline) {
      throw new Error(
        `the Redis data in ${dir} are in use by process ${user}: is the gateway running already?`,
      );
    }
    await sleep(100);
  }
}

/** The process id of the server that works on the data of that folder, if one does. */
export function userOf(dir: string): number | undefined {
  if (!existsSync(pidFile(dir))) return undefined;
  const pid = Number(readFileSync(pidFile(dir), 'utf8'));
  try {
    process.kill(pid, 0);
    // The number may have gone to another process since; a server works in the folder of its data.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dir) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** PING and not a connection: while the append-only file loads it listens but refuses. */
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
