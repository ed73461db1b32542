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

/** A list has the arguments of one setting. */
type Settings = Record<string, string | number | readonly string[]>;

interface RedisOptions {
  /** Data folder; by default a temporary folder, which stop() removes. */
  dir?: string;
  /** Loopback port; a free port by default. */
  port?: number;
  /** Additional server settings, with the names of the Redis configuration file. */
  settings?: Settings;
}

/** stop() keeps the data in a given folder; kill() and restart() always keep the data. */
export interface RunningRedis extends Child {
  readonly url: string;
  readonly port: number;
}

/** A server stops a few seconds after its parent process was killed. */
const orphanTimeoutMs = 6_000;

/**
 * Starts a private Redis on the loopback interface with the settings that the gateway needs in production: an
 * append-only file with every write, and no eviction.
 * @throws when no server program is available, the port or the data are in use, or the server does not start.
 */
export async function startRedis(options: RedisOptions = {}): Promise<RunningRedis> {
  const binary = await ensureRedisServer();
  const port = options.port ?? (await freePort());
  if (!(await isPortFree(port))) throw new Error(`port ${port} is in use, Redis cannot listen on it`);
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'gateway-redis-'));
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await waitUntilUnused(dir);

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

function serverArguments(port: number, dir: string, further: Settings = {}): string[] {
  const settings: Settings = {
    port,
    bind: '127.0.0.1',
    dir,
    pidfile: pidFile(dir),
    daemonize: 'no',
    appendonly: 'yes',
    // With `everysec` a killed server can lose acknowledged writes: see docs/decisions. Tests use `no`, with
    // which only a power failure loses some, because a disk that is busy for seconds would fail them.
    appendfsync: process.env.TEST_REDIS_APPENDFSYNC ?? 'always',
    'maxmemory-policy': 'noeviction',
    save: '',
    loglevel: 'warning',
    ...further,
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, ...[value].flat().map(String)]);
}

function pidFile(dir: string): string {
  return join(dir, 'redis.pid');
}

/** Two servers would corrupt the append-only file. */
async function waitUntilUnused(dir: string): Promise<void> {
  const deadline = Date.now() + orphanTimeoutMs;
  for (let user = redisProcessUsing(dir); user !== undefined; user = redisProcessUsing(dir)) {
    if (Date.now() > deadline) {
      throw new Error(
        `the Redis data in ${dir} are in use by process ${user}: is the gateway running already?`,
      );
    }
    await sleep(100);
  }
}

/** The process id of the Redis server that uses the data folder, if any. */
export function redisProcessUsing(dir: string): number | undefined {
  if (!existsSync(pidFile(dir))) return undefined;
  const pid = Number(readFileSync(pidFile(dir), 'utf8'));
  try {
    process.kill(pid, 0);
    // Another process may have the process id by now. A Redis server runs in its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dir) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Sends PING, because a server that loads its append-only file accepts connections but rejects commands. */
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
