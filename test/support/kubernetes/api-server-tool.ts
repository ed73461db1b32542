import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The tool that starts real API servers. It is next to the project; its README lists the requirements. */
export const toolFolder = join(import.meta.dirname, '../../../../shared/kubernetes');

/** What is known of an API server. Most values are paths of files. */
interface ApiServerFacts {
  server: string;
  address: string;
  /** With its keys, in `pki`. */
  folder: string;
  ca: string;
  clientCertificate: string;
  clientKey: string;
  /** Of a user who may do nothing. */
  tokenWithoutRights: string;
  kubeconfig: string;
  /** As k3s writes it. */
  k3sYaml: string;
  nodeToken: string;
  /** The program; null if the machine has none. */
  kubectl: string | null;
}

/**
 * Why no real API server can be started; null if one can. The tool takes minutes to build, so
 * tests do not build it.
 */
export function missingForRealCluster(): string | null {
  const build = join(toolFolder, 'build');
  if (!existsSync(build)) return `there is no ${build}`;
  const { status, error } = spawnSync(build, ['--dir'], { stdio: 'ignore' });
  if (error !== undefined) return error.message;
  return status === 0 ? null : 'its programs are not built: npm run test:kubernetes builds them';
}

/** The folder of the programs, once they are built. */
export function programFolder(): string {
  return execFileSync(join(toolFolder, 'build'), ['--dir'], { encoding: 'utf8' }).trim();
}

/** The path of the API server's program. */
export function apiServerProgram(): string {
  return join(programFolder(), 'kube-apiserver');
}

/** A real API server on the loopback, with an etcd. Its nodes are objects only. */
export class RealApiServer {
  readonly name: string;
  readonly facts: ApiServerFacts;

  private constructor(name: string, facts: ApiServerFacts) {
    this.name = name;
    this.facts = facts;
  }

  /** @param options of the tool's `up` */
  static async start(name: string, ...options: string[]): Promise<RealApiServer> {
    return new RealApiServer(name, JSON.parse(await run('up', name, ...options)) as ApiServerFacts);
  }

  addNode(node: string): Promise<string> {
    return run('nodes', this.name, 'add', node);
  }

  async setReady(node: string, isReady: boolean): Promise<void> {
    await run('nodes', this.name, isReady ? 'ready' : 'not-ready', node);
  }

  /** Refuses connections. */
  async kill(): Promise<void> {
    await run('kill', this.name);
  }

  /** Accepts connections, then hangs. */
  async pause(): Promise<void> {
    await run('pause', this.name);
  }

  /** The server loses its etcd. */
  async pauseStore(): Promise<void> {
    await run('pause', this.name, '--etcd');
  }

  /** Undoes the three. */
  async resume(): Promise<void> {
    await run('resume', this.name);
  }

  async close(): Promise<void> {
    await run('down', this.name);
  }
}

async function run(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(join(toolFolder, program), args)).stdout;
}
