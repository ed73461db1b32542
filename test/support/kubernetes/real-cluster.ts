import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODES, type TestCluster } from './test-cluster.ts';

/** The tool that starts real API servers. It is next to the project; its README lists the requirements. */
const toolFolder = join(import.meta.dirname, '../../../../shared/kubernetes');

/** A program of the tool. */
export function toolPath(program: string): string {
  return join(toolFolder, program);
}

/** Why no real API server can be started; null when one can. The tool takes minutes to build, so nothing here builds it. */
export function missingForRealCluster(): string | null {
  const build = toolPath('build');
  if (!existsSync(build)) return `there is no ${build}`;
  const { status, error } = spawnSync(build, ['--dir'], { stdio: 'ignore' });
  if (error !== undefined) return error.message;
  return status === 0 ? null : `the programs are not built: run ${build}`;
}

/** A cluster with a kube-apiserver, an etcd of its own, and nodes that are objects only. */
export async function realCluster(): Promise<TestCluster> {
  const name = `conformance-${process.pid}`;
  const run = async (command: string, ...args: string[]) =>
    (await promisify(execFile)(toolPath(command), [name, ...args])).stdout;
  const nodes = NODES.flatMap((node) => ['--node', node]);
  const facts = JSON.parse(await run('up', '--own-etcd', ...nodes)) as {
    server: string;
    ca: string;
    clientCertificate: string;
    clientKey: string;
    tokenWithoutRights: string;
  };
  return {
    server: facts.server,
    admin: {
      ca: readFileSync(facts.ca, 'utf8'),
      clientCertificate: readFileSync(facts.clientCertificate, 'utf8'),
      clientKey: readFileSync(facts.clientKey, 'utf8'),
    },
    tokenWithoutRights: facts.tokenWithoutRights,
    nodes: NODES,
    setReady: async (node, isReady) => void (await run('nodes', isReady ? 'ready' : 'not-ready', node)),
    kill: async () => void (await run('kill')),
    pause: async () => void (await run('pause')),
    pauseStore: async () => void (await run('pause', '--etcd')),
    resume: async () => void (await run('resume')),
    close: async () => void (await run('down')),
  };
}
