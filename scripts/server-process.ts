import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child-process.ts';
import { freePort, isPortFree } from './free-port.ts';

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Compiled code is kept between starts, which halves their time and spares 20 MiB a process. In a folder of the
 * project's own: whoever can write there could make these processes run his code.
 */
const compileCache = join(projectRoot, 'node_modules/.cache/compiled');

export type Variables = Record<string, string | undefined>;

export interface ServerProcess extends Child {
  /** Without a slash at the end, as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly port: number;
}

export interface ServerSpec {
  name: string;
  /** Entry file, from the project's root. */
  entry: string;
  /** The variable that tells the process its port. */
  portVariable: string;
  /** Any free port when absent. */
  port?: number;
  /** Answers 200 when the process is ready. */
  healthPath: string;
  env: Variables;
  onLine?(name: string, line: string): void;
  keptLines?: number;
  discardOutput?: boolean;
}

const readyTimeoutMs = 30_000;
/** Longer than the gateway's own drain time and what it closes after it. */
const stopTimeoutMs = 35_000;

/**
 * One of the project's apps as a process of this same Node.
 * @throws when its port is in use, naming the port and its variable, or when it does not come up.
 */
export async function startServer(spec: ServerSpec): Promise<ServerProcess> {
  const port = spec.port ?? (await freePort());
  if (!(await isPortFree(port))) {
    throw new Error(`port ${port} is in use: the ${spec.name} needs another one, set ${spec.portVariable}`);
  }
  const url = `http://127.0.0.1:${port}`;
  const child = await startChild({
    name: spec.name,
    command: process.execPath,
    args: [spec.entry],
    cwd: projectRoot,
    env: { NODE_COMPILE_CACHE: compileCache, ...spec.env, [spec.portVariable]: String(port) },
    isReady: () => answersOk(`${url}${spec.healthPath}`),
    readyTimeoutMs,
    stopTimeoutMs,
    onLine: spec.onLine,
    keptLines: spec.keptLines,
    discardOutput: spec.discardOutput,
  });
  return Object.assign(Object.create(child), { url, port });
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
