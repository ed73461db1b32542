import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child-process.ts';
import { freePort, isPortFree } from './free-port.ts';

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The compile cache halves the start time and saves 20 MiB per process. It is inside the project, because
 * anyone who can write to it can make these processes run their code.
 */
export const compileCache = join(projectRoot, 'node_modules/.cache/compiled');

export type Variables = Record<string, string | undefined>;

export interface ServerProcess extends Child {
  /** Without a trailing slash, such as `http://127.0.0.1:8000`; with `https` if it has a certificate. */
  readonly url: string;
  readonly port: number;
}

export interface ServerSpec {
  name: string;
  /** The project whose app it is; this one by default. */
  source?: string;
  /** Entry file, absolute or relative to the root of its project. */
  entry: string;
  /** The environment variable for the port. */
  portVariable: string;
  /** A free port by default. */
  port?: number;
  /** The path that responds 200 when the process is ready. */
  healthPath: string;
  restarts?: boolean;
  env: Variables;
  onLine?(name: string, line: string): void;
  maxLines?: number;
  discardOutput?: boolean;
}

/** A start takes 1 to 2 s of processor time. A machine with other work can take a minute for it. */
const readyTimeoutMs = 90_000;
/** Longer than the gateway's shutdown timeout. */
const stopTimeoutMs = 35_000;

/**
 * Starts one of the project's apps as a process, with the same Node version.
 * @throws when the port is in use, with the port and its variable in the message, or when
 * the app does not start
 */
export async function startServer(spec: ServerSpec): Promise<ServerProcess> {
  const port = spec.port ?? (await freePort());
  if (!(await isPortFree(port))) {
    throw new Error(`port ${port} is in use: the ${spec.name} needs another one, set ${spec.portVariable}`);
  }
  const url = `${spec.env.TLS_CERT_FILE ? 'https' : 'http'}://127.0.0.1:${port}`;
  const child = await startChild({
    name: spec.name,
    command: process.execPath,
    args: [spec.entry],
    cwd: spec.source ?? projectRoot,
    env: { NODE_COMPILE_CACHE: compileCache, ...spec.env, [spec.portVariable]: String(port) },
    isReady: () => answersOk(`${url}${spec.healthPath}`),
    readyTimeoutMs,
    stopTimeoutMs,
    restarts: spec.restarts,
    onLine: spec.onLine,
    maxLines: spec.maxLines,
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
